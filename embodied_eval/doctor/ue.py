"""The probe of UE5: a configured game, started if need be, and what it was found to do."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

from embodied_eval.benchmark import Check
from embodied_eval.doctor.fixes import failed, pip
from embodied_eval.drivers.unrealcv import formats
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.connect import Deadlines, addresses, greeted, on_this_machine
from embodied_eval.drivers.unrealcv.spec import GameSpec
from embodied_eval.errors import EmbodiedEvalError, SimulatorError

UE5_ADDRESS, UE5_PACK = "EMBODIED_EVAL_UE5_ADDRESS", "EMBODIED_EVAL_UE5_PACK"
DEADLINES = Deadlines(text_s=20.0, image_s=60.0)
AGAIN = Deadlines(connect_s=2.0, greeting_s=2.0)
AGAIN_S, AGAIN_PAUSE_S = 5.0, 0.1
# Two of the plugin's settings, each given in one of the two forms that the engine may take.
MORE_PX = 2


def configured() -> Check:
    """Which game is to be asked, if any."""
    address, pack = os.environ.get(UE5_ADDRESS, ""), os.environ.get(UE5_PACK, "")
    if pack:
        return Check("ue5", "ok", f"the pack {pack} is started and asked")
    if address:
        return Check("ue5", "ok", f"the game at {address} is asked")
    told = f"set {UE5_ADDRESS}=127.0.0.1:9000 for one that runs, or {UE5_PACK}=PACK.toml#MAP for one to start"
    return Check("ue5", "untested", f"no game configured; {told}")


def answers() -> Iterator[Check]:
    """One line for each thing that was asked of the configured game; without one, only the package's."""
    yield package()
    address, pack = os.environ.get(UE5_ADDRESS, ""), os.environ.get(UE5_PACK, "")
    with ExitStack() as stack:
        try:
            if pack:
                yield from _of_pack(stack, pack)
            elif address:
                client = Client(address, DEADLINES)
                stack.callback(client.close)
                yield from asked(client)
        except EmbodiedEvalError as error:
            yield failed("ue5 game", error)


def package() -> Check:
    """Whether the published client can be imported."""
    try:
        import unrealcv
    except ImportError as error:
        return Check("ue5 package", "missing", f"the package 'unrealcv': {error}", pip("ue5"))
    told = f"unrealcv {unrealcv.__version__}; needed to compare with it, not to drive a game"
    return Check("ue5 package", "ok", told)


def asked(client: Client) -> Iterator[Check]:
    """What the game behind `client` was found to do; the connection is closed at the end."""
    from embodied_eval.doctor.ue_questions import QUESTIONS, Stand

    version = client.text("vget /unrealcv/version").strip()
    level = client.text("vget /level/name").strip()
    count = len(formats.parse_names(client.text("vget /objects")))
    told = f"{client.address}: UnrealCV {version}, level {level}, {count} actors"
    yield Check("ue5 game", "ok", told)
    stand: Stand | None = None
    try:
        stand = Stand(client)
    except SimulatorError as error:
        yield Check("ue5 stand", "broken", f"nothing can be tried: {error}")
    for name, question in QUESTIONS.items():
        if stand is None or client.broken:
            yield Check(f"ue5 {name}", "untested", "the game could not be asked")
            continue
        try:
            status, detail = question(stand)
        except SimulatorError as error:
            status, detail = "broken", str(error)
        yield Check(f"ue5 {name}", status, detail)
    if stand is not None and not client.broken:
        stand.leave()
    yield hand_over(client)


def hand_over(client: Client) -> Check:
    """How the game takes a second client, once the first has left."""
    endpoint, first = client.endpoint, client.address
    client.close()
    began, error = time.monotonic(), None
    while time.monotonic() - began < AGAIN_S:
        try:
            again = greeted(endpoint, AGAIN)
        except SimulatorError as failure:
            error = failure
            time.sleep(AGAIN_PAUSE_S)
            continue
        again.sock.close()
        now = str(again.address)
        if now == first:
            return Check("ue5 hand-over", "ok", f"clients one after another at {now}")
        return Check("ue5 hand-over", "ok", f"the first client comes by {first}, later ones by {now}")
    if not any(on_this_machine(address.host) or address.path for address in addresses(endpoint)):
        told = "only its first client is served; later ones come by a socket file on its own machine"
        return Check("ue5 hand-over", "broken", f"{told}: start the game anew for each run")
    return Check("ue5 hand-over", "broken", f"no second client is greeted: {error}")


def overrides(spec: GameSpec, status: str) -> Check:
    """Which form of a setting on the command line the plugin took, as its status tells."""
    found = dict(line.split(": ", 1) for line in status.splitlines() if ": " in line)
    width, height = spec.size
    took = [
        form
        for form, key, side in (("equals", "Width", width), ("space", "Height", height))
        if found.get(key, "").strip() == str(side + MORE_PX)
    ]
    told = {"equals": "-cvport=N", "space": "-cvport N"}
    seen = " and ".join(told[form] for form in took) or "neither -cvport=N nor -cvport N"
    if spec.overrides != "none" and spec.overrides not in took:
        return Check("ue5 overrides", "broken", f"the pack says {spec.overrides!r}, the game takes {seen}")
    return Check("ue5 overrides", "ok", f"the game takes {seen}; its settings file holds in any case")


def _of_pack(stack: ExitStack, where: str) -> Iterator[Check]:
    from embodied_eval.drivers.unrealcv.launcher import GameLauncher
    from embodied_eval.drivers.unrealcv.pack_world import missing
    from embodied_eval.drivers.unrealcv.packs import PREFIX, read_pack, split_world

    path, name = split_world(where if where.startswith(PREFIX) else PREFIX + where)
    pack = read_pack(path)
    spec, chosen = pack.spec(name), pack.map_of(name)
    width, height = spec.size
    tried = (f"-UnrealCVWidth={width + MORE_PX}", "-UnrealCVHeight", str(height + MORE_PX))
    started = replace(spec, arguments=(*spec.arguments, *tried))
    began = time.monotonic()
    launcher = stack.enter_context(GameLauncher(started))
    game = launcher.game()
    took_s = time.monotonic() - began
    yield Check("ue5 launch", "ok", f"ready on port {game.port} after {took_s:.0f} s")
    yield overrides(spec, game.ready.status)
    refused = [command for command, answer in game.ready.settings.items() if answer != "ok"]
    if refused:
        yield Check("ue5 settings", "broken", f"refused: {'; '.join(refused)}: pictures may not repeat")
    else:
        yield Check("ue5 settings", "ok", "frame cap, exposure and motion blur can be fixed")
    lost = missing(chosen, game.client)
    if lost:
        shown = (f"{key}{f' (perhaps {near})' if near else ''}" for key, near in lost.items())
        yield Check("ue5 actors", "broken", f"the level has no actor for {', '.join(shown)}")
    else:
        yield Check("ue5 actors", "ok", f"all {len(chosen.object)} mapped actors are in {chosen.name}")
    game.client.deadlines = DEADLINES
    yield from asked(game.client)
