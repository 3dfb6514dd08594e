"""Results made by hand, among them ones with the counts that the paper's percentages stand for."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.worldaudit.taxonomy import FAMILIES
from embodied_eval.benchmark import EpisodeResult, Results
from embodied_eval.records import Condition, EpisodeStatus, Json, Outcome, Task, Verdict

SIZES = (59, 41, 51, 40, 22)
PUBLISHED = {
    "vlm GPT-6 Astra": ((35, 12, 23, 5, 15), ("59.3", "29.3", "45.1", "12.5", "68.2", "42.3"), 90),
    "vlm Claude Opus 5": ((21, 8, 15, 5, 11), ("35.6", "19.5", "29.4", "12.5", "50.0", "28.2"), 60),
    "vlm Gemini 3.8 Flash": ((29, 9, 15, 5, 11), ("49.2", "22.0", "29.4", "12.5", "50.0", "32.4"), 69),
    "vlm Muse Spark 1.3": ((13, 5, 7, 2, 5), ("22.0", "12.2", "13.7", "5.0", "22.7", "15.0"), 32),
    "vlm Qwen 3.8 Flash": ((7, 3, 2, 1, 5), ("11.9", "7.3", "3.9", "2.5", "22.7", "8.5"), 18),
    "vla-vlm GPT-6 Astra": ((12, 7, 13, 0, 3), ("20.3", "17.1", "25.5", "0.0", "13.6", "16.4"), 35),
    "vla-vlm Claude Opus 5": ((13, 9, 6, 1, 3), ("22.0", "22.0", "11.8", "2.5", "13.6", "15.0"), 32),
    "vla-vlm Gemini 3.8 Flash": ((12, 10, 9, 2, 4), ("20.3", "24.4", "17.6", "5.0", "18.2", "17.4"), 37),
    "vla-vlm Muse Spark 1.3": ((3, 4, 5, 0, 2), ("5.1", "9.8", "9.8", "0.0", "9.1", "6.6"), 14),
    "vla-vlm Qwen 3.8 Flash": ((11, 9, 6, 0, 1), ("18.6", "22.0", "11.8", "0.0", "4.5", "12.7"), 27),
}
"""By arm and model: passes by family, what the paper prints by family and over all, and passes of 213."""
CODES = ("G1", "C1", "V1", "T1", "S2")


def episode(
    number: int,
    passed: bool | None,
    *,
    code: str = "G1",
    family: str = FAMILIES[0],
    condition: str = "vlm",
    settings: Mapping[str, Json] | None = None,
    status: EpisodeStatus | None = "completed",
    evidenced: bool | None = None,
    error: str = "",
    measures: Mapping[str, tuple[bool, str]] | None = None,
    scene: str = "t",
    model: str = "openai/m",
    privileged: bool = False,
    private: Mapping[str, Json] | None = None,
    **used: float | int | None,
) -> EpisodeResult:
    """A synthetic result; `passed` None = no verdict, `status` None = not finished, `measures` by item:
    passed and reason; `used` what it took (steps, calls, tokens ...)."""
    verdicts = []
    if passed is not None:
        verdicts.append(Verdict("identified", float(passed), 1.0, passed))
    if error:
        verdicts.append(Verdict("identified", None, 1.0, None, error=error))
    if evidenced is not None:
        verdicts.append(Verdict("evidenced", float(evidenced), 1.0, evidenced))
    for item, (yes, reason) in (measures or {}).items():
        verdicts.append(Verdict(item, 0.0, 0.0, yes, reason, ("a3",) if yes else ()))
    return EpisodeResult(
        f"{number:032x}",
        Task(f"t/{number}", {}, private or {}, scene=scene, tags=(code, family)),
        Condition(condition, settings or {}),
        model,
        0,
        privileged,
        None if status is None else Outcome(status),
        tuple(verdicts),
        **used,  # type: ignore[arg-type]
    )


def results(
    *episodes: EpisodeResult, model: str = "openai/m", judge: str = "truth", run: str = "run"
) -> Results:
    """One run of these episodes."""
    return Results("worldaudit", run, model, judge, tuple(episodes))


def published(run: str) -> Results:
    """213 episodes with the pass counts of one of `PUBLISHED`."""
    passes, _, _ = PUBLISHED[run]
    made: list[EpisodeResult] = []
    for code, family, size, count in zip(CODES, FAMILIES, SIZES, passes, strict=True):
        made += [episode(len(made) + n, n < count, code=code, family=family) for n in range(size)]
    return results(*made, model=run)
