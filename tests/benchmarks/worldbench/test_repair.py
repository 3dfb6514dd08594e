"""The repair loop without a browser: what the model is told, which edits are made, and when it ends."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping

import pytest

from benchmarks.worldbench.excerpts import excerpts, merged
from benchmarks.worldbench.load_check import Checked
from benchmarks.worldbench.repair import CALLS_A_ROUND, Repaired, refusal, repair
from benchmarks.worldbench.source_check import Fault, source_facts, structure_faults
from embodied_eval.errors import ModelRefused, ModelUnavailable
from embodied_eval.models.types import Reply, ToolCall
from tests.benchmarks.worldbench.writing_kit import GOOD, HEAD, Says, page, replace

FAULT = Fault("exception", "ReferenceError: mountains is not defined", 9, 3)
BAD = page("const land = 1;\nland.x();\nmountains();\n")


def mended(model: Says, html: str, faults: Mapping[str, tuple[Fault, ...]], rounds: int = 5) -> Repaired:
    """`faults` by a piece of the file: those whose piece is in it stand."""

    async def check(text: str) -> Checked:
        found = tuple(fault for piece, some in faults.items() if piece in text for fault in some)
        return Checked(hashlib.sha256(text.encode()).hexdigest(), "page_error" if found else "ready", found)

    return asyncio.run(repair(model, html, check, rounds, 3))


def test_a_clean_file_asks_nobody() -> None:
    model = Says()
    done = mended(model, GOOD, {})
    assert done.html == GOOD and done.rounds == () and model.asked == []


def test_a_round_tells_errors_and_source_and_nothing_else() -> None:
    model = Says(replace("mountains();\n", ""))
    done = mended(model, BAD, {"mountains()": (FAULT,)})
    assert done.checked.clean and "mountains" not in done.html
    told = model.asked[0][0].text
    assert "- uncaught error: ReferenceError: mountains is not defined (line 9, column 3)" in told
    assert "    9| mountains();" in told and "    8| land.x();" in told
    assert model.images == 0 and model.offered == [("replace",)]
    (one,) = done.rounds
    assert (one.mode, one.applied, one.after) == ("replace", 1, ())
    assert one.sha256 == hashlib.sha256(done.html.encode()).hexdigest()


def test_a_sixth_round_is_never_asked_and_the_last_file_stands() -> None:
    model = Says(*[replace(f"v{n};", f"v{n + 1};") for n in range(5)])
    done = mended(model, page("v0;\n"), {"v": (FAULT,)})
    assert len(model.asked) == 5 == len(done.rounds)
    assert "v5;" in done.html and not done.checked.clean


def test_a_turn_in_which_an_edit_is_refused_goes_on_up_to_four_calls() -> None:
    twice = replace("</", "<")
    model = Says(twice, twice, replace("x", "y", name="write_file"), replace("never there", ""))
    done = mended(model, BAD, {"mountains()": (FAULT,)}, rounds=1)
    assert len(model.asked) == CALLS_A_ROUND
    answers = [message.text for message in model.asked[3] if message.role == "tool"]
    assert "times in the file" in answers[0] and "no tool 'write_file'" in answers[2]
    assert done.rounds[0].applied == 0 and len(done.rounds[0].edits) == 4


def test_a_fifth_call_is_refused_in_the_same_turn() -> None:
    calls = tuple(ToolCall(f"c{n}", "replace", {"old": "nowhere", "new": ""}) for n in range(6))
    model = Says(Reply("", calls))
    assert len(mended(model, BAD, {"mountains()": (FAULT,)}, rounds=1).rounds[0].edits) == 4


def test_arguments_that_are_none_are_refused() -> None:
    broken = Reply("", (ToolCall("c1", "replace", {}, raw="{", error="no JSON object"),))
    missing = Reply("", (ToolCall("c2", "replace", {"old": 3, "new": ""}),))
    model = Says(broken, missing, "I give up.")
    (one,) = mended(model, BAD, {"mountains()": (FAULT,)}, rounds=1).rounds
    assert ["not valid" in edit.refused or "must be strings" in edit.refused for edit in one.edits] == [
        True,
        True,
    ]


def test_a_round_without_edits_lets_the_file_be_written_anew() -> None:
    model = Says("I see nothing.", f"```html\n{GOOD}\n```")
    done = mended(model, BAD, {"mountains()": (FAULT,)})
    assert [one.mode for one in done.rounds] == ["replace", "rewrite"]
    assert done.html.strip() == GOOD.strip() and done.checked.clean
    assert BAD in model.asked[1][0].text and model.offered[1] == ()


def test_damage_to_the_document_is_mended_by_a_whole_file() -> None:
    double = GOOD + GOOD
    model = Says(GOOD)
    done = mended(model, double, {double: structure_faults(double)})
    assert [one.mode for one in done.rounds] == ["rewrite"] and done.html == GOOD


def test_an_answer_without_a_document_changes_nothing() -> None:
    text = "Sorry."
    model = Says("Sorry again.", "And again.")
    done = mended(model, text, {text: structure_faults(text)}, rounds=2)
    assert done.html == text and done.rounds[1].edits[0].refused == "The answer holds no HTML document."


def test_a_model_that_declines_ends_the_loop_and_an_outage_does_not_pass() -> None:
    model = Says(ModelRefused("no"))
    done = mended(model, BAD, {"mountains()": (FAULT,)})
    assert done.html == BAD and done.rounds[0].ended == "no" and len(done.rounds) == 1
    with pytest.raises(ModelUnavailable):
        mended(Says(ModelUnavailable("down")), BAD, {"mountains()": (FAULT,)})


def test_refusals() -> None:
    assert refusal("abc", "b", "x") == ""
    assert "occurs 2 times" in refusal("abb", "b", "x")
    assert "occurs 0 times" in refusal("abc", "d", "x")
    assert "empty" in refusal("abc", "", "x") and "same" in refusal("abc", "b", "b")
    assert "larger than" in refusal("abc", "b", "x" * 2_100_000)


@pytest.mark.parametrize(
    ("html", "told"),
    [
        ("An island, then.", ["holds no HTML document"]),
        (HEAD, ["is not closed"]),
        (GOOD + GOOD, ["A second doctype"]),
        (GOOD.replace("<body>", "<body>\n```js"), ["A code fence"]),
        (GOOD.replace("<body>", "<body>" + " " * 2_100_000), ["bytes; at most"]),
        (GOOD, []),
        (GOOD.replace("const scene", "const text = '<!doctype html>';\nconst scene"), []),
    ],
)
def test_the_shape_of_a_document(html: str, told: list[str]) -> None:
    found = structure_faults(html)
    assert len(found) == len(told)
    assert all(part in fault.text for part, fault in zip(told, found, strict=True))


def test_a_second_document_is_told_with_its_line() -> None:
    assert structure_faults("<html>\n</html>\n<html>\n</html>")[0].line == 3


def test_facts_of_a_source() -> None:
    module = '<script type="module">\nimport "x";\n\nrun();\n</script>'
    data = '<script type="application/json">{"a": 1}</script>'
    html = f'<script src="https://cdn.jsdelivr.net/npm/three@0.166.1/build/three.module.js"></script>{module}{data}'
    assert source_facts(html).script_lines == 3
    assert source_facts(html).three_asked == ("0.166.1",)
    assert source_facts(GOOD).three_asked == ("r128",)


def test_bindings_of_the_names_on_the_line_are_shown_too() -> None:
    lines = [f"filler{n}();" for n in range(400)]
    lines[10] = "const mountains = makeMountains();"
    lines[200] = "let depth = 3;"
    lines[300] = "mountains.raise(depth, console, other);"
    shown = excerpts("\n".join(lines), [Fault("exception", "TypeError", 301, 4)])
    assert "   11| const mountains" in shown and "  201| let depth" in shown
    assert "  261| " in shown and "  341| " in shown and "  342| " not in shown and "  260| " not in shown
    assert "  100| " not in shown


def test_a_minified_line_is_shown_around_the_column() -> None:
    text = "a();" * 50_000
    html = f"<html>\n{text[:99_999]}!HERE!{text}\n</html>"
    shown = excerpts(html, [Fault("exception", "TypeError", 2, 100_003)])
    assert "!HERE!" in shown and len(shown) < 4_000


def test_without_a_place_the_file_is_shown_from_its_beginning() -> None:
    shown = excerpts("\n".join(["x" * 100] * 2_000), [Fault("load", "The page drew no frame.")])
    assert (
        shown.startswith("    1| xxx")
        and len(shown) < 61_000
        and shown.endswith("[the file goes on to line 2000]")
    )


def test_windows_are_joined() -> None:
    assert merged([(50, 60), (-4, 10), (11, 20), (58, 99)], 80) == [(1, 20), (50, 80)]
