"""Several independent askings of one judge model, and the majority's verdict."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from statistics import median_low
from typing import TYPE_CHECKING

from embodied_eval.errors import JudgeError
from embodied_eval.judges.base import Counts, Judge, scores
from embodied_eval.records import ModelCall, Verdict

if TYPE_CHECKING:
    from embodied_eval.benchmark import Benchmark, Trajectory
    from embodied_eval.judges.rubric import RubricJudge


class VotesJudge(Judge):
    """Asks `judge` `votes` (odd) times, each time in fresh contexts; the verdict on an item is what more than
    half of all the askings say.

    Every sound vote is kept as a verdict `ITEM#NUMBER` of max 0, which scores nothing and is no item of its
    own. An asking that fails is no vote. An item on which neither side has its majority is errored.
    """

    def __init__(self, judge: RubricJudge, votes: int) -> None:
        self.name, self.version = f"{judge.name}#{votes}", judge.version
        self._judge, self._votes = judge, votes

    @property
    def identity(self) -> dict[str, str]:
        """See `Judge.identity`."""
        return {**self._judge.identity, "judge": self.name, "votes": str(self._votes)}

    def taken_calls(self, episode_key: str) -> tuple[ModelCall, ...]:
        """See `Judge.taken_calls`."""
        return self._judge.taken_calls(episode_key)

    async def verdicts(self, benchmark: Benchmark, trajectory: Trajectory) -> Sequence[Verdict]:
        """See `Judge.verdicts`. Raises JudgeError if no asking at all gave a verdict."""
        return await self.poll(lambda voter: voter.verdicts(benchmark, trajectory))

    async def poll(
        self, ask: Callable[[Judge], Awaitable[Sequence[Verdict]]], counts: Counts = scores
    ) -> Sequence[Verdict]:
        """See `Judge.poll`. What does not count is kept from each asking, and combined by nobody."""
        sound: dict[int, Sequence[Verdict]] = {}
        failures: list[JudgeError] = []
        for number in range(1, self._votes + 1):
            try:
                sound[number] = await ask(self._judge.voting(number))
            except JudgeError as error:
                failures.append(error)
        if not sound:
            raise JudgeError(
                f"None of {self._votes} askings gave a verdict: {failures[0].message}", hint=failures[0].hint
            )
        told = failures[0].message if failures else ""
        votes: dict[str, dict[int, Verdict]] = {}
        for number, given in sound.items():
            for verdict in given:
                votes.setdefault(verdict.item, {})[number] = verdict
        asked = [found for found in votes.values() if counts(next(iter(found.values())))]
        return [
            *(majority(found, self._votes, told) for found in asked),
            *(
                replace(vote, item=f"{item}#{number}", score=0.0, max=0.0)
                for item, found in votes.items()
                for number, vote in found.items()
            ),
        ]


def majority(votes: dict[int, Verdict], asked: int, failure: str = "") -> Verdict:
    """What more than half of `asked` say, given the sound `votes` by number; an errored verdict if nothing.

    Its score is the median of those that agree, which may give parts of the points; an errored verdict is no vote.
    `failure` is what befell an asking that is missing. Rule: ours.
    """
    needed = asked // 2 + 1
    first = next(iter(votes.values()))
    sound = [vote for vote in votes.values() if not vote.error]
    failure = next((vote.reason or vote.error for vote in votes.values() if vote.error), failure)
    lost = f"; {asked - len(sound)} failed: {failure}" if len(sound) < asked else ""
    for passed in (True, False):
        agreeing = [vote for vote in sound if vote.passed is passed]
        if len(agreeing) >= needed:
            score = median_low(vote.score or 0.0 for vote in agreeing)
            told = next(vote for vote in agreeing if (vote.score or 0.0) == score)
            reason = f"{len(agreeing)} of {asked} votes: {told.reason}{lost}"
            return Verdict(first.item, score, first.max, passed, reason, told.evidence)
    yes = sum(vote.passed is True for vote in sound)
    reason = f"{yes} of {asked} votes for, {len(sound) - yes} against{lost}"
    error = f"JudgeError: {needed} of {asked} votes must agree on {first.item!r}; {reason}"
    return Verdict(first.item, None, first.max, None, reason, error=error)
