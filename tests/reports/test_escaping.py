"""Hostile text in every field that a report prints: nothing of it becomes markup or leaves the folder."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from embodied_eval.benchmark import Cell, EpisodeResult, Page, Results, RowGroup, Table
from embodied_eval.records import Event, Json, Metric, Verdict
from reports.build import write_report
from reports.data import RunSource
from reports.pages import script_json, shown, slug
from tests.hostile_text import HOSTILE
from tests.reports.synthetic import FrameFiles, Synthetic, result_of, source, task, walk

_TAGS = {
    *[
        "html",
        "head",
        "meta",
        "title",
        "link",
        "style",
        "body",
        "a",
        "header",
        "nav",
        "span",
        "main",
        "h1",
        "h2",
        "p",
        "section",
        "div",
        "table",
        "caption",
        "thead",
        "tbody",
    ],
    *[
        "tr",
        "th",
        "td",
        "b",
        "small",
        "details",
        "summary",
        "ul",
        "ol",
        "li",
        "img",
        "svg",
        "line",
        "circle",
        "path",
        "polyline",
        "g",
        "figure",
        "figcaption",
        "label",
    ],
    *["input", "button", "output", "dl", "dt", "dd", "blockquote", "code", "footer", "script", "strong", "i"],
}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.handlers: list[str] = []
        self.links: list[str] = []
        self.scripts = 0
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.scripts += tag == "script"
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        self.links += [value or "" for name, value in attrs if name in {"href", "src", "srcdoc", "action"}]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


class Hostile(Synthetic):
    """Says `bad` wherever a plugin may speak."""

    def __init__(self, bad: str) -> None:
        super().__init__()
        self.bad = bad
        self.title = self.description = bad

    def summarize(self, results: Results) -> list[Metric]:
        bad = self.bad
        return [
            Metric("success_rate", None, 0, None, None, bad, 1, group, bad, bad, bad) for group in ("", bad)
        ]

    def pages(self, results: object) -> list[Page]:
        bad = self.bad
        cells = ((bad, Cell(bad, note=bad), Cell(1.0, 0.0, 2.0, bad, bad)),)
        return [Page(bad, bad, (Table(bad, (bad,), cells, bad, (RowGroup(bad, cells, bad, apart=True),)),))]

    def cause(self, result: EpisodeResult) -> str:
        return self.bad


def _run(files: FrameFiles, bad: str) -> RunSource:
    """A run of one episode with `bad` in every field."""
    problem = replace(
        task(0, secret=bad),
        id=bad,
        public={bad: bad, "list": [bad, {bad: 1}]},
        tags=(bad,),
        scene=bad,
        engine=bad,
    )
    base = replace(walk(files, task(0), model="m", steps=1), task=problem)
    row: dict[str, Json] = {"id": bad, "text": bad, "evidence": bad, "action": 1}
    trajectory = replace(
        base,
        model=bad,
        steps=tuple(replace(step, action=bad, arguments={bad: bad}, result=bad) for step in base.steps),
        calls=tuple(
            replace(call, model=bad, error=bad, reply={"text": bad, "tool_calls": [{"name": bad}]})
            for call in base.calls
        ),
        events=(Event(bad, 0.0, 1, {bad: bad}, True),),
        frames={bad: replace(base.frames["a0"], ref=bad), **base.frames},
        rows={"findings": (row,), "notes": (row,), "hidden": (row,), bad: ({bad: bad},)},
        outcome=replace(base.outcome, answer={bad: bad}, reason=bad),
    )
    verdicts = (Verdict(bad, 0.0, 1, False, bad, (bad, "a1"), bad, bad),)
    result = replace(result_of(trajectory, verdicts), error=bad)
    run = source(files, bad, [(trajectory, result)], benchmark=Hostile(bad), judge=bad)
    return replace(
        run,
        manifest={**run.manifest, "driver": bad, "versions": {bad: bad}, "created_at": bad},
        results=replace(run.results, benchmark=bad),
    )


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    files = FrameFiles(tmp_path / "store")
    out = tmp_path / "out"
    write_report([_run(files, bad) for bad in HOSTILE.values()], out)
    pages = sorted(out.rglob("*.html"))
    assert len(pages) == 1 + 2 * len(HOSTILE)
    words: dict[str, str] = {}
    for page in pages:
        reader = _Reader()
        reader.feed(page.read_text(encoding="utf-8"))
        episode = page.parent.name == "episodes"
        assert reader.tags <= _TAGS, page
        assert reader.scripts == (2 if episode else 0), page
        assert reader.handlers == [], page
        for link in reader.links:
            if link != "data:,":
                assert (page.parent / link.split("#")[0]).resolve().is_relative_to(out.resolve()), link
        words[page.name] = "".join(reader.text)
        assert not set(words[page.name]) & set("\x00\x1b\x07\x9b\r"), page
    for number, bad in enumerate(HOSTILE.values()):
        text = next(text for name, text in words.items() if name.startswith(f"{number}-"))
        if shown(bad) == bad and len(bad) < 1000:
            assert text.count(bad) > 10


def test_json_in_a_script_element() -> None:
    value = {"x": "</script><!-- & \u2028\u2029 \ud800", "n": [1, None, True]}
    text = str(script_json(value))
    assert not set(text) & set("<>&\u2028\u2029") and text.isascii()
    assert json.loads(text) == value
    with pytest.raises(ValueError, match="JSON compliant"):
        script_json(float("nan"))


def test_control_characters_are_shown_as_such() -> None:
    assert shown("a\x00b\x1bc\r\nd\te") == "a\ufffdb\ufffdc\nd\te"


@pytest.mark.parametrize(("name", "made"), [("worldaudit", "worldaudit"), ("a-1", "a-1")])
def test_plain_names_are_their_own_slug(name: str, made: str) -> None:
    assert slug(name) == made


def test_other_names_get_a_hash() -> None:
    slugs = {slug(name) for name in ("A", "a", "a ", "../a", "ä", "", "x" * 200)}
    assert len(slugs) == 7
    assert all(set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") and len(made) < 80 for made in slugs)
