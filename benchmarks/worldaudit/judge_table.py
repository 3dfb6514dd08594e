"""Prints the ground-truth judge's false credit and false loss over the hand-written reports.

`python -m benchmarks.worldaudit.judge_table [--errors] [FOLDER]`, FOLDER holding reports.jsonl and
targets.toml (default: the repository's tests/benchmarks/worldaudit).
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

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "benchmarks" / "worldaudit"


@dataclass(frozen=True)
class Report:
    """One hand-written report: what it says of `target` under `subcategory`, and whether it should pass.

    `type` is the way it is written, `split` "tune" or "heldout".
    """

    id: str
    subcategory: str
    target: str
    text: str
    should: bool
    type: str
    split: str
    note: str = ""


@dataclass(frozen=True)
class Judged:
    """A report and what the judge made of it."""

    report: Report
    reading: Reading

    @property
    def false_credit(self) -> bool:
        """Passed although it should not."""
        return self.reading.identified and not self.report.should

    @property
    def false_loss(self) -> bool:
        """Failed although it should pass."""
        return self.report.should and not self.reading.identified


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
        if key not in (name, "blocker")
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


def table(judged: Sequence[Judged], title: str, key: Callable[[Report], str], order: Sequence[str]) -> str:
    """A Markdown table of counts by `key`, its rows in `order`, with a sum."""
    rows = [
        f"| {title} | reports | should pass | false loss | should fail | false credit |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name in (*order, "all"):
        group = [item for item in judged if name in ("all", key(item.report))]
        passing = sum(item.report.should for item in group)
        loss = sum(item.false_loss for item in group)
        credit = sum(item.false_credit for item in group)
        rows.append(f"| {name} | {len(group)} | {passing} | {loss} | {len(group) - passing} | {credit} |")
    return "\n".join(rows)


def render(judged: Sequence[Judged], *, errors: bool = False) -> str:
    """All tables, by split; with `errors` every wrong verdict too."""
    types = list(dict.fromkeys(item.report.type for item in judged))
    parts = []
    for split in dict.fromkeys(item.report.split for item in judged):
        part = [item for item in judged if item.report.split == split]
        parts.append(f"### {split}\n")
        parts.append(table(part, "sub-category", lambda report: report.subcategory, list(SUBCATEGORIES)))
        parts.append("")
        parts.append(table(part, "written", lambda report: report.type, types))
        parts.append("")
        for item in part:
            if errors and (item.false_credit or item.false_loss):
                what = "false credit" if item.false_credit else "false loss"
                parts.append(f"- {what} `{item.report.id}` ({item.reading.reason}): {item.report.text}")
    return "\n".join(parts) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Prints the tables; the exit code is 0."""
    folders = [Path(text) for text in arguments if not text.startswith("-")]
    sys.stdout.write(render(judge_reports(*folders[:1]), errors="--errors" in arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
