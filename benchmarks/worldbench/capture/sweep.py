"""The clock sweep: which moment of the untouched world is day, found by running its clock, without any model.

One small frame each few virtual seconds gives a curve of brightness; its autocorrelation the length of a day.
The season is what the page's own interface names.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks.worldbench.capture import measure
from benchmarks.worldbench.capture.manifest import Sample, Swept
from benchmarks.worldbench.evidence import SEASONS, TIMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchmarks.worldbench.capture.stage import Stage

SIZE = (320, 200)
STEP_S = 5.0
HORIZON_S = 240.0
LONGEST_S = 480.0
SEASON_STEP_S = 2.5
SEASON_HORIZON_S = 600.0
REPEATS = 1.75
LEAST_CORRELATION = 0.5
LEAST_SWING = 2.0
NEAR_BRIGHTEST = 0.04
SEASON_ERROR = 1.0 / 16.0
SEASON_NEAR = 0.03


async def sweep(stage: Stage) -> Swept:
    """Run the open page from where it stands. Drawn until the day has repeated itself, at least `HORIZON_S` and at
    most `LONGEST_S` seconds; then undrawn, until all four seasons were named near the time of day that is day."""
    samples: list[Sample] = []
    named: list[tuple[float, dict[str, str]]] = []
    t_s = 0.0
    while t_s < LONGEST_S:
        t_s += STEP_S
        await stage.until(t_s)
        rgb = await stage.shoot()
        named.append((t_s, await stage.script("seasons") or {}))
        samples.append(Sample(t_s, measure.luma_all(rgb), measure.luma_lit(rgb)))
        if t_s >= HORIZON_S and (_repeats(samples) or not _swings(samples)):
            break
        if _repeats(samples):
            break
    while stage.hooked and any(words for _, words in named) and t_s < SEASON_HORIZON_S:
        errors = read(samples, seasons_of(named)).season_error
        if all(error is not None and error <= SEASON_NEAR for error in errors):
            break
        t_s += SEASON_STEP_S
        await stage.until(t_s, drawn=False)
        named.append((t_s, await stage.script("seasons")))
    return read(samples, seasons_of(named))


def _repeats(samples: Sequence[Sample]) -> bool:
    found, _ = period(_curve(samples), STEP_S)
    return found is not None and len(samples) * STEP_S >= REPEATS * found


def _swings(samples: Sequence[Sample]) -> bool:
    curve = _curve(samples)
    return bool(curve.max() - curve.min() >= LEAST_SWING)


def _curve(samples: Sequence[Sample]) -> NDArray:  # type: ignore[type-arg]
    import numpy as np

    return np.asarray([sample.luma_all or 0.0 for sample in samples])


def period(curve: NDArray, step_s: float) -> tuple[float | None, float]:  # type: ignore[type-arg]
    """The length in seconds after which a curve repeats itself, and how well (correlation -1..1): the first
    maximum of its autocorrelation past the first negative value, refined by a parabola; None where it is below
    0.5, or the curve is too short or too flat."""
    import numpy as np

    count = len(curve)
    if count < 8 or curve.max() - curve.min() < LEAST_SWING:
        return None, 0.0
    around = curve - curve.mean()
    lags = count * 2 // 3
    value = np.zeros(lags)
    for lag in range(lags):
        a, b = around[: count - lag], around[lag:]
        value[lag] = float((a * b).sum() / max(1e-9, np.sqrt((a * a).sum() * (b * b).sum())))
    falls = np.flatnonzero(value < 0.0)
    if not falls.size:
        return None, 0.0
    best = int(falls[0]) + int(value[falls[0] :].argmax())
    # A multiple of the day correlates as well: the first that is nearly as good.
    for lag in range(int(falls[0]) + 1, best):
        if value[lag] >= 0.9 * value[best] and value[lag] >= value[lag - 1] and value[lag] >= value[lag + 1]:
            best = lag
            break
    if best >= lags - 1 or value[best] < LEAST_CORRELATION:
        return None, round(float(value[best]), 4)
    left, middle, right = value[best - 1], value[best], value[best + 1]
    bend = left - 2 * middle + right
    offset = 0.5 * (left - right) / bend if abs(bend) > 1e-9 else 0.0
    return round(float((best + offset) * step_s), 2), round(float(middle), 4)


def read(samples: Sequence[Sample], seasons: Sequence[tuple[float, str]]) -> Swept:
    """What a sweep says: the day's length, the moments for the four requested times, those for the seasons."""
    curve = _curve(samples)
    length, correlation = period(curve, STEP_S)
    swing = round(float(curve.max() - curve.min()), 4)
    first = [one for one in samples if length is None or one.t_s <= samples[0].t_s + length]
    bright = max(one.luma_all or 0.0 for one in first)
    # The earliest of nearly equally bright moments is the quickest to come back to.
    day = next(one.t_s for one in first if (one.luma_all or 0.0) >= bright - NEAR_BRIGHTEST * swing)
    names = dict(seasons)
    if length:
        day = _noon(samples, length)
    times = _around(day, length) if length else _extremes(samples, day)
    at: list[float | None] = []
    errors: list[float | None] = []
    for season in SEASONS:
        moment, error = _season(season, seasons, day, length)
        at.append(moment)
        errors.append(error)
    return Swept(
        tuple(Sample(one.t_s, one.luma_all, one.luma_lit, names.get(one.t_s, "")) for one in samples),
        length,
        STEP_S,
        correlation,
        swing,
        times,
        (at[0], at[1], at[2], at[3]),
        (errors[0], errors[1], errors[2], errors[3]),
    )


def _noon(samples: Sequence[Sample], length_s: float) -> float:
    """The middle of the day (ours): where the sine of a day's length that fits the brightness best is highest, the
    earliest such moment after the page's first second. Day and night are flat; the middle of the brightest stretch
    tells the hour better than its brightest frame."""
    import numpy as np

    angle = 2 * np.pi / length_s * np.asarray([one.t_s for one in samples])
    columns = np.stack([np.ones(len(samples)), np.cos(angle), np.sin(angle)], axis=1)
    _, cosine, sine = np.linalg.lstsq(columns, _curve(samples), rcond=None)[0]
    noon = float(np.arctan2(sine, cosine)) / (2 * np.pi) * length_s
    while noon < 1.0:
        noon += length_s
    return noon


def _around(day_s: float, length_s: float) -> tuple[float, float, float, float]:
    """The moments of `TIMES`, noon at `day_s`, as early as they come after the page's first second."""
    made = []
    for asked in TIMES:
        moment = day_s + (asked - 0.5) * length_s
        while moment < 1.0:
            moment += length_s
        made.append(round(moment, 3))
    return (made[0], made[1], made[2], made[3])


def _extremes(samples: Sequence[Sample], day_s: float) -> tuple[float, float, float, float]:
    """Without a known length: the darkest moment for midnight, and those of middle brightness before and after."""
    ranked = sorted(samples, key=lambda one: (one.luma_all or 0.0, one.t_s))
    night = ranked[0].t_s
    middle = ((ranked[0].luma_all or 0.0) + (ranked[-1].luma_all or 0.0)) / 2
    halfway = sorted(samples, key=lambda one: (abs((one.luma_all or 0.0) - middle), one.t_s))
    between = [one.t_s for one in halfway if one.t_s not in (night, day_s)]
    one, two = sorted([*between, night, night][:2])
    return (night, one, day_s, two)


def _season(
    season: str, named: Sequence[tuple[float, str]], day_s: float, length_s: float | None
) -> tuple[float | None, float | None]:
    """The moment nearest day (as a share of the day's length) at which `season` is named, and how far it is."""
    fitting = [t_s for t_s, name in named if name == season]
    if not fitting:
        return None, None
    if length_s is None:
        return min(fitting), None
    errors = []
    for t_s in fitting:
        turns = (t_s - day_s) / length_s
        errors.append((round(abs(turns - round(turns)), 4), t_s))
    near = [one for one in errors if one[0] <= SEASON_ERROR]
    if not near:
        return None, min(errors)[0]
    least = min(near)[0]
    # The earliest that is about as near as the nearest.
    error, t_s = min((one for one in near if one[0] <= least + 0.01), key=lambda one: one[1])
    return t_s, error


def seasons_of(named: Sequence[tuple[float, dict[str, str]]]) -> tuple[tuple[float, str], ...]:
    """The season at each moment, from the place in the page that names it: of all places that ever name one,
    that which changes through most seasons in their order."""
    places = sorted({place for _, words in named for place in words})
    best: tuple[int, int, str] | None = None
    for place in places:
        row = [words[place] for _, words in named if place in words]
        changes = [(a, b) for a, b in itertools.pairwise(row) if a != b]
        ordered = sum(SEASONS[(SEASONS.index(a) + 1) % 4] == b for a, b in changes)
        rank = (ordered, len(row), place)
        if changes and (best is None or rank[:2] > best[:2]):
            best = rank
    if best is None or not best[0]:
        return ()
    return tuple((t_s, words[best[2]]) for t_s, words in named if best[2] in words)
