"""Several independent askings of one judge model, and the majority's verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from embodied_eval.errors import JudgeError
from embodied_eval.judges.base import Judge
from embodied_eval.records import Verdict

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

    async def verdicts(self, benchmark: Benchmark, trajectory: Trajectory) -> Sequence[Verdict]:
        """See `Judge.verdicts`. Raises JudgeError if no asking at all gave a verdict."""
        sound: dict[int, Sequence[Verdict]] = {}
        failures: list[JudgeError] = []
        for number in range(1, self._votes + 1):
            try:
                sound[number] = await self._judge.ask(benchmark, trajectory, number)
            except JudgeError as error:
                failures.append(error)
        if not sound:
            raise JudgeError(
                f"None of {self._votes} askings gave a verdict: {failures[0].message}", hint=failures[0].hint
            )
        told = failures[0].message if failures else ""
        items = dict.fromkeys(verdict.item for verdicts in sound.values() for verdict in verdicts)
        by_item = {
            item: {number: found for number, given in sound.items() for found in given if found.item == item}
            for item in items
        }
        return [
            *(majority(votes, self._votes, told) for votes in by_item.values()),
            *(
                replace(vote, item=f"{item}#{number}", score=0.0, max=0.0)
                for item, votes in by_item.items()
                for number, vote in votes.items()
            ),
        ]


def majority(votes: dict[int, Verdict], asked: int, failure: str = "") -> Verdict:
    """What more than half of `asked` say, given the sound `votes` by number; an errored verdict if nothing.

    `failure` is what befell an asking that is missing. Rule: ours.
    """
    needed = asked // 2 + 1
    first = next(iter(votes.values()))
    lost = f"; {asked - len(votes)} failed: {failure}" if len(votes) < asked else ""
    for passed in (True, False):
        agreeing = [vote for vote in votes.values() if vote.passed is passed]
        if len(agreeing) >= needed:
            reason = f"{len(agreeing)} of {asked} votes: {agreeing[0].reason}{lost}"
            score = first.max if passed else 0.0
            return Verdict(first.item, score, first.max, passed, reason, agreeing[0].evidence)
    yes = sum(vote.passed is True for vote in votes.values())
    reason = f"{yes} of {asked} votes for, {len(votes) - yes} against{lost}"
    error = f"JudgeError: {needed} of {asked} votes must agree on {first.item!r}; {reason}"
    return Verdict(first.item, None, first.max, None, reason, error=error)
