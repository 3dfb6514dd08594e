"""Prints the ground-truth judge's false credit and false loss over the hand-written reports.

`python -m benchmarks.worldaudit.judge_table [--errors] [--cross] [FOLDER]`, FOLDER holding reports.jsonl and
targets.toml (default: the repository's tests/benchmarks/worldaudit). `--errors` lists every wrong verdict,
`--cross` also reads each right report against every task that it is not about (some seconds).
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.worldaudit.lexicon import load_lexicon
from benchmarks.worldaudit.matching import Reading, TaskWords, read_finding, task_words
from benchmarks.worldaudit.mentions import Vocabulary
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.errors import DataFileError

UNSEEN = "blocker"
"""The target of the corpus that is no object of the world (C2)."""
FOLDER = Path(__file__).resolve().parents[2] / "tests" / "benchmarks" / "worldaudit"


@dataclass(frozen=True)
class Report:
    """One hand-written report: what it says of `target` under `subcategory`, and whether it should pass.

    `type` is the way it is written. `split` is "tune", or "blind_N" for a set that was written before the
    phrases were tuned any further and then read once: `first` is what that first reading said.
    """

    id: str
    subcategory: str
    target: str
    text: str
    should: bool
    type: str
    split: str
    note: str = ""
    first: bool | None = None


@dataclass(frozen=True)
class Judged:
    """A report and what the judge made of it."""

    report: Report
    reading: Reading

    @property
    def false_credit(self) -> bool:
        """Passes although it should not."""
        return self.reading.identified and not self.report.should

    @property
    def false_loss(self) -> bool:
        """Fails although it should pass."""
        return self.report.should and not self.reading.identified

    @property
    def first_credit(self) -> bool:
        """Passed at the first, blind reading although it should not."""
        return self.report.first is True and not self.report.should

    @property
    def first_loss(self) -> bool:
        """Failed at the first, blind reading although it should pass."""
        return self.report.first is False and self.report.should


def load_reports(folder: Path = FOLDER) -> tuple[list[Report], dict[str, Any]]:
    """The reports and the small world they are about; raises `DataFileError` naming what cannot be read."""
    try:
        lines = (folder / "reports.jsonl").read_text(encoding="utf-8").splitlines()
        reports = [Report(**json.loads(line)) for line in lines if line.strip()]
        targets = tomllib.loads((folder / "targets.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError) as error:
        raise DataFileError(
            f"The reports in {folder} cannot be read: {error}",
            hint="Name a folder that holds reports.jsonl and targets.toml.",
        ) from error
    return reports, targets


def words_for(name: str, code: str, data: Mapping[str, Any]) -> tuple[Vocabulary, TaskWords]:
    """The words of a task of kind `code` on target `name`, in the small world that targets.toml describes."""
    things = [
        (other["label"], other["synonyms"], other["region"])
        for key, other in data["targets"].items()
        if key not in (name, UNSEEN)
    ]
    things += [(label, synonyms, "") for label, synonyms in data["others"].items()]
    target = data["targets"][name]
    return task_words(code, target, target.get("match", {}), things, data["regions"], load_lexicon())


def judge_reports(folder: Path = FOLDER) -> list[Judged]:
    """Every report with its reading."""
    reports, data = load_reports(folder)
    words = {
        (report.target, report.subcategory): words_for(report.target, report.subcategory, data)
        for report in reports
    }
    return [
        Judged(
            report,
            read_finding(
                report.text,
                report.subcategory,
                words[report.target, report.subcategory][0],
                load_lexicon(),
                words[report.target, report.subcategory][1],
            ),
        )
        for report in reports
    ]


def cross_readings(folder: Path = FOLDER, every: int = 1) -> tuple[int, list[str]]:
    """Each right report (or one of `every`) read against all tasks that it is not about: those on other
    objects, and those of another kind on the same object. Returns the count and what was credited."""
    reports, data = load_reports(folder)
    lexicon = load_lexicon()
    tasks = {(report.target, report.subcategory) for report in reports}
    tasks |= {
        (target, code) for target, _ in tasks if target != UNSEEN for code in SUBCATEGORIES if code != "C2"
    }
    own = {report.target: report.subcategory for report in reports}
    words = {task: words_for(*task, data) for task in sorted(tasks)}
    count, credited = 0, []
    for report in [report for report in reports if report.should][::every]:
        for (target, code), (vocabulary, extra) in words.items():
            same = (target, code) == (report.target, report.subcategory)
            if same or (target != report.target and code != own[target]):
                continue
            count += 1
            if read_finding(report.text, code, vocabulary, lexicon, extra).identified:
                credited.append(f"{report.id} passes as {code} of {target}: {report.text}")
    return count, credited


def table(judged: Sequence[Judged], title: str, key: Callable[[Report], str], order: Sequence[str]) -> str:
    """A Markdown table of counts by `key`, its rows in `order`, with a sum; the last columns are the first
    readings of the blind sets."""
    rows = [
        f"| {title} | right reports | false loss | wrong reports | false credit "
        "| blind: right | false loss | blind: wrong | false credit |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name in (*order, "all"):
        group = [item for item in judged if name in ("all", key(item.report))]
        blind = [item for item in group if item.report.first is not None]
        cells = [
            sum(item.report.should for item in group),
            sum(item.false_loss for item in group),
            sum(not item.report.should for item in group),
            sum(item.false_credit for item in group),
            sum(item.report.should for item in blind),
            sum(item.first_loss for item in blind),
            sum(not item.report.should for item in blind),
            sum(item.first_credit for item in blind),
        ]
        rows.append(f"| {name} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(rows)


def render(judged: Sequence[Judged], *, errors: bool = False) -> str:
    """The tables by set, by sub-category and by manner; with `errors` every wrong verdict too."""
    splits = list(dict.fromkeys(item.report.split for item in judged))
    types = list(dict.fromkeys(item.report.type for item in judged))
    parts = [
        table(judged, "set", lambda report: report.split, splits),
        table(judged, "sub-category", lambda report: report.subcategory, list(SUBCATEGORIES)),
        table(judged, "written", lambda report: report.type, types),
    ]
    if errors:
        wrong = [
            f"- {'false credit' if item.false_credit else 'false loss'} `{item.report.id}` "
            f"({item.reading.reason}): {item.report.text}"
            for item in judged
            if item.false_credit or item.false_loss
        ]
        parts.append("\n".join(wrong) or "No wrong verdict.")
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Prints the tables; the exit code is 0."""
    folders = [Path(text) for text in arguments if not text.startswith("-")][:1]
    sys.stdout.write(render(judge_reports(*folders), errors="--errors" in arguments))
    if "--cross" in arguments:
        count, credited = cross_readings(folders[0] if folders else FOLDER)
        lines = [f"- {line}" for line in credited]
        sys.stdout.write(
            "\n".join([f"\n{len(credited)} of {count} cross readings are credited.", *lines]) + "\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
