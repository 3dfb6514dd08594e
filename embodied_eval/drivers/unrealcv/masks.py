"""Object ids from a game's instance masks, and from them how objects show, now and in the clean twin."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import ObjectState
from embodied_eval.drivers.unrealcv import formats
from embodied_eval.drivers.unrealcv.actors import Actors
from embodied_eval.drivers.unrealcv.asking import texts, tried
from embodied_eval.drivers.unrealcv.cameras import Camera, View
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.errors import CapabilityMissing, ProtocolError
from embodied_eval.records import VisibilityRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]

# Levels of a channel: far enough apart to be told from each other after a change of gamma.
_LEVELS = tuple(range(15, 256, 6))
Box = tuple[int, int, int, int]


def colour(number: int) -> formats.Colour:
    """The mask colour of the actor with that number (0 ..): no two the same, none black (ours)."""
    base = len(_LEVELS)
    if number >= base**3:
        raise CapabilityMissing(f"A level of more than {base**3} actors has no masks.", command="mask")
    return (
        _LEVELS[number % base],
        _LEVELS[number // base % base],
        _LEVELS[number // base**2],
    )


class Masks:
    """Our own colours on every actor of the level, and what masks show with them.

    Raises `CapabilityMissing` where a game's masks do not hold the colours that it was given, also not after
    the one gamma curve that games are known for.
    """

    def __init__(self, client: Client, actors: Actors, camera: Camera, view: View) -> None:
        self._client, self._actors, self._camera = client, actors, camera
        self._colours: dict[str, formats.Colour] = {}
        self._gamma = False
        self._table: tuple[Ids, Ids] | None = None
        self._give([*(one.actor for one in actors.by_name.values()), *actors.unseen])
        self._calibrate(view)

    def added(self, name: str) -> None:
        """Give the new actor of the object `name` its colour."""
        self._give([self._actors.of(name).actor])

    def removed(self) -> None:
        """Forget which colour means which object; colours are not used again."""
        self._table = None

    def ids(self, body: bytes | memoryview) -> Ids:
        """int32 (H, W) object ids of a mask's reply, -1 where no object is."""
        import numpy as np

        packed = self._packed(body)
        keys, values = self._known()
        at = np.minimum(np.searchsorted(keys, packed), len(keys) - 1)
        found: Ids = values[at]
        foreign = (keys[at] != packed) & (packed != 0)
        if foreign.any():
            raise ProtocolError(
                f"A mask shows the colour {int(packed[foreign][0]):#08x}, which no actor was given.",
                endpoint=self._client.endpoint,
                command=self._camera.ask("object_mask"),
                hint="Something came into the level by itself; load the level again.",
            )
        return np.where(packed == 0, np.int32(-1), found)

    def rows(
        self, ref: str, names: Collection[str], twin: Mapping[str, ObjectState], view: View
    ) -> tuple[VisibilityRow, ...]:
        """As `Driver.visibility`, from masks: the scene as it is, and each object alone, both also with the twin's
        states. Everything is put back in the same frame of the game."""
        there, back = self._to_twin(names, twin)
        now = self._shown(view, [], [])
        clean = self._shown(view, there, back) if there else now
        rows = []
        for name in names:
            actor = self._actors.by_name.get(name)
            total = view.size[0] * view.size[1]
            if actor is None:
                rows.append(VisibilityRow(ref, name, 0, 0, None, 0, 0, None, total))
                continue
            number = actor.state.id
            hide, show = self._others(name)
            alone = self._shown(view, hide, show).get(number, (0, None))
            clean_alone = alone
            if there:
                clean_alone = self._shown(view, [*there, *hide], [*show, *back]).get(number, (0, None))
            pixels, box = now.get(number, (0, None))
            twin_pixels, twin_box = clean.get(number, (0, None))
            rows.append(
                VisibilityRow(ref, name, pixels, alone[0], box, twin_pixels, clean_alone[0], twin_box, total)
            )
        return tuple(rows)

    def pixels(self, name: str, view: View) -> int:
        """How many pixels the object has in that view."""
        return self._shown(view, [], []).get(self._actors.of(name).state.id, (0, None))[0]

    def _shown(self, view: View, before: list[str], after: list[str]) -> dict[int, tuple[int, Box | None]]:
        import numpy as np

        ids = self.ids(self._camera.shoot(view, ["object_mask"], before=before, after=after)[0])
        found: dict[int, tuple[int, Box | None]] = {}
        for number in np.unique(ids):
            if number < 0:
                continue
            rows, columns = np.nonzero(ids == number)
            box = (int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
            found[int(number)] = (len(rows), box)
        return found

    def _others(self, name: str) -> tuple[list[str], list[str]]:
        """Commands that hide everything but `name`, in the scene or in the twin, and that undo it."""
        hide, show = [], []
        for other, actor in self._actors.by_name.items():
            if other == name:
                continue
            hide.append(f"vset /object/{actor.actor}/hide")
            if actor.state.visible:
                show.append(f"vset /object/{actor.actor}/show")
        return hide, show

    def _to_twin(
        self, names: Collection[str], twin: Mapping[str, ObjectState]
    ) -> tuple[list[str], list[str]]:
        there: list[str] = []
        back: list[str] = []
        for name, actor in self._actors.by_name.items():
            if name in twin:
                there += _state_commands(actor.actor, twin[name], actor.state)
                back += _state_commands(actor.actor, actor.state, twin[name])
            elif actor.spawned and name in names and actor.state.visible:
                there.append(f"vset /object/{actor.actor}/hide")
                back.append(f"vset /object/{actor.actor}/show")
        return there, back

    def _give(self, actors: Iterable[str]) -> None:
        fresh = {actor: colour(len(self._colours) + n) for n, actor in enumerate(actors)}
        self._colours.update(fresh)
        commands = [f"vset /object/{actor}/color {r} {g} {b}" for actor, (r, g, b) in fresh.items()]
        taken = tried(self._client, commands)
        refused = {actor for actor, answer in zip(fresh, taken, strict=True) if answer is None}
        bodies = [one.actor for one in self._actors.by_name.values()]
        lost = refused & set(bodies)
        if lost:
            raise CapabilityMissing(f"{sorted(lost)[0]!r} takes no mask colour.", command="mask")
        wanted = [actor for actor in fresh if actor in bodies]
        for actor, text in zip(
            wanted, texts(self._client, [f"vget /object/{actor}/color" for actor in wanted]), strict=True
        ):
            if formats.parse_colour(text) != fresh[actor]:
                raise CapabilityMissing(f"{actor!r} reads another mask colour than its own.", command="mask")
        self._table = None

    def _packed(self, body: bytes | memoryview) -> Ids:
        import numpy as np

        rgb = self._client.read_image(self._camera.ask("object_mask"), body).astype(np.int32)
        packed: Ids = (rgb[..., 0] << 16) | (rgb[..., 1] << 8) | rgb[..., 2]
        return packed

    def _known(self) -> tuple[Ids, Ids]:
        """Packed colours, sorted, and the id that each means; that of an actor without a body is -1."""
        import numpy as np

        if self._table is None:
            ids = {one.actor: one.state.id for one in self._actors.by_name.values()}
            pairs = sorted(
                (_pack(_curved(given) if self._gamma else given), ids.get(actor, -1))
                for actor, given in self._colours.items()
            )
            table = np.array(pairs or [(0, -1)], dtype=np.int32)
            self._table = (table[:, 0].copy(), table[:, 1].copy())
        return self._table

    def _calibrate(self, view: View) -> None:
        body = self._camera.shoot(view, ["object_mask"])[0]
        for gamma in (False, True):
            self._gamma, self._table = gamma, None
            try:
                self.ids(body)
            except ProtocolError as error:
                failed = error
            else:
                return
        raise CapabilityMissing(f"This game's masks are of no use. {failed.message}", command="mask")


def _state_commands(actor: str, wanted: ObjectState, now: ObjectState) -> list[str]:
    path, commands = f"/object/{actor}", []
    if wanted.scale != now.scale:
        commands.append(f"vset {path}/scale {formats.numbers(wanted.scale)}")
    if wanted.rotation_deg != now.rotation_deg:
        turn = formats.turn_to_unreal(wanted.rotation_deg)
        commands.append(f"vset {path}/rotation {formats.numbers(turn)}")
    if wanted.position != now.position:
        commands.append(f"vset {path}/location {formats.numbers(formats.to_cm(wanted.position))}")
    if wanted.visible != now.visible:
        commands.append(f"vset {path}/{'show' if wanted.visible else 'hide'}")
    return commands


def _pack(given: formats.Colour) -> int:
    red, green, blue = given
    return red << 16 | green << 8 | blue


def _curved(given: formats.Colour) -> formats.Colour:
    """A colour taken for linear light and written as sRGB (IEC 61966-2-1)."""
    made = []
    for value in given:
        linear = value / 255.0
        curved = 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
        made.append(round(curved * 255.0))
    return (made[0], made[1], made[2])
