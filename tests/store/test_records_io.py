import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embodied_eval.records import (
    Event,
    FrameRef,
    Metric,
    ModelCall,
    Pose,
    Step,
    Verdict,
    VisibilityRow,
    to_json,
)
from embodied_eval.store import Collector, Receipt, records_io
from embodied_eval.store.encoding import decode, encode
from embodied_eval.store.export import export
from embodied_eval.store.query import query
from tests.hostile_text import HOSTILE, storable
from tests.store import sample

TEXT = st.text(max_size=30)
FLOAT = st.floats(allow_nan=False, allow_infinity=False)
INT = st.integers(-(2**63), 2**63 - 1)
JSON = st.recursive(
    st.none() | st.booleans() | INT | FLOAT | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
OBJECT = st.dictionaries(TEXT, JSON, max_size=3)
POSES = st.none() | st.builds(Pose, FLOAT, FLOAT, FLOAT, FLOAT, FLOAT)
FRAMES = st.builds(FrameRef, TEXT, TEXT, TEXT, INT, INT, INT, FLOAT, POSES)
BOXES = st.none() | st.tuples(INT, INT, INT, INT)
RECORDS = {
    records_io.step_from: st.builds(
        Step, INT, TEXT, OBJECT, TEXT, FLOAT, POSES, FLOAT, st.booleans(), st.booleans(), st.lists(FRAMES, max_size=2).map(tuple)
    ),
    records_io.call_from: st.builds(
        ModelCall, INT, TEXT, TEXT, INT, st.lists(OBJECT, max_size=2).map(tuple), st.none() | OBJECT, st.none() | INT,
        st.none() | INT, st.none() | FLOAT, INT, FLOAT, TEXT, st.booleans(), TEXT, TEXT
    ),
    records_io.event_from: st.builds(Event, TEXT, FLOAT, INT, OBJECT, st.booleans()),
    records_io.frame_from: FRAMES,
    records_io.visibility_from: st.builds(VisibilityRow, TEXT, TEXT, INT, INT, BOXES, INT, INT, BOXES, INT),
    records_io.verdict_from: st.builds(
        Verdict, TEXT, st.none() | FLOAT, FLOAT, st.none() | st.booleans(), TEXT, st.lists(TEXT, max_size=2).map(tuple)
    ),
    records_io.metric_from: st.builds(Metric, TEXT, st.none() | FLOAT, INT, FLOAT, FLOAT, TEXT, INT),
    records_io.receipt_from: st.builds(Receipt, TEXT, INT, st.just("completed"), TEXT, OBJECT),
}  # fmt: skip


@pytest.mark.parametrize("reader", RECORDS, ids=[reader.__name__ for reader in RECORDS])
def test_records_come_back_equal(reader: object) -> None:
    @settings(max_examples=25, deadline=None)
    @given(RECORDS[reader])  # type: ignore[index]
    def round_trip(record: object) -> None:
        line = encode(to_json(record))
        assert b"\n" not in line
        assert reader(decode(line)) == record  # type: ignore[operator]

    round_trip()


@given(JSON)
@settings(max_examples=50, deadline=None)
def test_encoded_values_are_strict_json_in_ascii(value: object) -> None:
    text = encode(value).decode("ascii")
    assert json.loads(text, parse_constant=pytest.fail) == value


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_one_line_that_comes_back(text: str) -> None:
    assert decode(encode({"x": text, text: 1})) == {"x": storable(text), storable(text): 1}
    assert b"\n" not in encode(text)


def test_hostile_text_goes_through_the_whole_store(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path / "store", episodes=len(HOSTILE))
    for number, text in enumerate(HOSTILE.values()):
        key = sample.play(store, run, number, steps=1, text=text, reason=text)
        run.save_verdicts("truth", {"name": text}, key, [replace(sample.verdicts(True)[0], reason=text)])
        assert run.episode(key).steps[0].result == storable(text)
    assert Collector(store).ingest(run) == len(HOSTILE)
    wanted = sorted(storable(text) for text in HOSTILE.values())
    for sql in (
        "SELECT result FROM steps",
        "SELECT reason FROM episodes",
        "SELECT note FROM toy_notes",
        "SELECT reason FROM verdicts",
        "SELECT answer FROM episodes",
        "SELECT data FROM toy_truths_v2",
    ):
        found = [row[0] for row in query(store, sql)[1]]
        if sql.startswith(("SELECT answer", "SELECT data")):
            found = [next(iter(json.loads(cell).values())) for cell in found]
        assert sorted(found) == wanted
    export(store, run, "jsonl", tmp_path / "out", public=True)
    lines = (tmp_path / "out" / "steps.jsonl").read_bytes().split(b"\n")
    assert sorted(json.loads(line)["result"] for line in lines if line) == wanted
    assert b"\xe2\x80\xa8" not in b"".join(lines)
    assert query(store, "SELECT count(*) FROM runs")[1] == [(1,)]
