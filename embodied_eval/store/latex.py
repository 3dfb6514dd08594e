"""Metrics as a LaTeX table, with everything that LaTeX would act on escaped."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from embodied_eval.records import Metric

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "-": "{-}",  # no ligature from "--"
}
_HEAD = ("metric", "group", "condition", "value", "interval", "unit", "$n$", "of", "note")


def escape(text: str) -> str:
    """`text` as LaTeX shows it literally, on one line; control and invisible characters are left out."""
    return "".join(
        " " if character.isspace() else _ESCAPES.get(character, character)
        for character in text
        if character.isspace() or unicodedata.category(character)[0] != "C"
    )


def latex_table(run_id: str, model: str, judge: str, metrics: Sequence[Metric]) -> str:
    """One `table` environment, without packages; the caption names the run, the model and the judge."""
    lines = [
        r"\begin{table}",
        rf"\caption{{{escape(model)}, judged by {escape(judge)} (run {escape(run_id)}).}}",
        rf"\begin{{tabular}}{{{'l' * len(_HEAD)}}}",
        r"\hline",
        " & ".join(_HEAD) + r" \\",
        r"\hline",
        *(" & ".join(_cells(metric)) + r" \\" for metric in metrics),
        r"\hline",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _cells(metric: Metric) -> list[str]:
    known = metric.low is not None and metric.high is not None
    return [
        escape(metric.name),
        escape(metric.group),
        escape(metric.condition),
        "n/a" if metric.value is None else _number(metric.value),
        f"[{_number(metric.low or 0.0)}, {_number(metric.high or 0.0)}]" if known else "",
        escape(metric.unit),
        str(metric.n),
        str(metric.denominator),
        escape(metric.reason),
    ]


def _number(value: float) -> str:
    return f"${value:.4g}$"
