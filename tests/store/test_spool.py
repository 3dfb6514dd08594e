import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from embodied_eval.errors import CorruptSpool, DiskFull, PluginError, StoreError
from embodied_eval.records import Event
from embodied_eval.store import Collector, encoding
from tests.store import sample


def test_an_episode_comes_back_as_it_was_recorded(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    key = sample.play(store, run, 0, steps=2, status="budget_exhausted", reason="out of actions")
    data = run.episode(key)
    assert data.start == {"task": "room/1", "text": "done"}
    assert [step.index for step in data.steps] == [1, 2]
    assert data.steps[1] == sample.step(2, [data.frames["a2"]])
    assert data.calls == (sample.call(1, {"text": "done"}), sample.call(2, {"text": "done"}))
    assert data.visibility == (sample.visibility("a1"), sample.visibility("a2"))
    assert list(data.frames) == ["a0", "a1", "a2"]
    assert data.rows["notes"] == ({"note": "done", "weight": 1},) * 2
    assert data.rows["truths"][0] == {"what": sample.MARKER, "data": {"text": "done"}}
    assert data.receipt == run.receipts()[key]
    assert data.receipt is not None and data.receipt.reason == "out of actions"
    assert store.frames.get(data.frames["a2"].sha256) == b"0 2"


def test_private_events_are_merged_in_the_order_of_recording(tmp_path: Path) -> None:
    _, run = sample.new_run(tmp_path)
    key = sample.key_of(0)
    with run.writer(key, 1) as writer:
        for number in range(12):
            writer.event(Event(f"e{number}", 0.0, 0, private=number % 3 != 0))
    assert [event.kind for event in run.episode(key).events] == [f"e{number}" for number in range(12)]


def test_the_truth_is_in_the_private_folder_alone(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    sample.play(store, run, 0)
    holding = [path for path in run.path.rglob("*") if path.is_file() and sample.MARKER in path.read_text()]
    assert {path.parent.name for path in holding} == {"private"}
    assert len(holding) == 2


def test_a_killed_writer_leaves_every_completed_step(tmp_path: Path) -> None:
    _, run = sample.new_run(tmp_path)
    key = sample.key_of(0)
    script = (
        "import sys; from pathlib import Path; from tests.store import sample; from embodied_eval.store import Store\n"
        f"run = Store.open(Path({str(tmp_path)!r})).run(None); writer = run.writer({key!r}, 1)\n"
        "for index in range(100000):\n"
        "    writer.visibility([sample.visibility(f'a{index}')]); writer.call(sample.call(index))\n"
        "    writer.step(sample.step(index)); print(index, flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= 20:
            break
    process.kill()
    told = [int(line) for line in process.stdout.read().split()[:-1]]
    process.wait()
    process.stdout.close()
    data = run.episode(key)
    assert len(data.steps) >= max([20, *told]) + 1
    assert [step.index for step in data.steps] == list(range(len(data.steps)))
    assert len(data.visibility) >= len(data.steps)
    assert data.receipt is None
    assert run.receipts() == {}
    assert (run.partial(key), run.next_attempt(key)) == (1, 2)


@pytest.mark.parametrize(
    "tail", [b'{"line":"step","ind', b"\x00\x00\x00", b'{"line":"st\n', b'{"line":"event"}']
)
def test_a_torn_last_line_is_dropped(tmp_path: Path, tail: bytes) -> None:
    store, run = sample.new_run(tmp_path)
    key = sample.play(store, run, 0, finish=False)
    with (run.path / "spool" / f"{key}.1.jsonl").open("ab") as file:
        file.write(tail)
    data = run.episode(key)
    assert len(data.steps) == 3
    assert data.receipt is None
    assert run.receipts() == {}


@pytest.mark.parametrize(
    "bad", [b"not json", b"[1]", b'{"line":"step"}', b'{"line":"dance"}', b'{"no":"line"}']
)
def test_an_earlier_bad_line_is_an_error_that_names_file_and_line(tmp_path: Path, bad: bytes) -> None:
    store, run = sample.new_run(tmp_path)
    key = sample.play(store, run, 0)
    path = run.path / "spool" / f"{key}.1.jsonl"
    lines = path.read_bytes().splitlines()
    lines[4] = bad
    path.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(CorruptSpool) as caught:
        run.episode(key)
    assert str(path) in str(caught.value)
    assert "line 5" in str(caught.value)


def test_the_attempt_that_was_complete_first_counts(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    sample.play(store, run, 0, attempt=1, finish=False)
    sample.play(store, run, 0, attempt=2, text="second", finished_at="2026-01-01T00:05:00+00:00")
    key = sample.play(store, run, 0, attempt=3, text="third", finished_at="2026-01-01T00:04:00+00:00")
    assert run.receipts()[key].attempt == 3
    assert run.episode(key).start["text"] == "third"
    assert run.episode(key, 1).receipt is None
    assert (run.partial(key), run.next_attempt(key)) == (1, 4)


def test_an_attempt_that_counts_stands_before_those_that_failed(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    times = [f"2026-01-01T00:0{minute}:00+00:00" for minute in range(5)]
    sample.play(store, run, 0, attempt=1, status="simulator_error", finished_at=times[0])
    key = sample.play(store, run, 0, attempt=2, status="model_error", finished_at=times[1])
    assert run.receipts()[key].status == "model_error"
    sample.play(store, run, 0, attempt=3, status="refused", finished_at=times[2])
    sample.play(store, run, 0, attempt=4, status="completed", finished_at=times[3])
    assert run.receipts()[key].attempt == run.episode(key).attempt == 3


def test_an_attempt_belongs_to_one_writer(tmp_path: Path) -> None:
    _, run = sample.new_run(tmp_path)
    with run.writer(sample.key_of(0), 1), pytest.raises(StoreError, match="another worker"):
        run.writer(sample.key_of(0), 1)


def test_nothing_can_follow_the_receipt(tmp_path: Path) -> None:
    _, run = sample.new_run(tmp_path)
    key = sample.key_of(0)
    with run.writer(key, 1) as writer:
        with pytest.raises(StoreError, match="is not for"):
            writer.receipt(sample.receipt(key, 2))
        writer.receipt(sample.receipt(key))
        with pytest.raises(StoreError, match="ended"):
            writer.step(sample.step(1))


def test_a_full_disk_loses_nothing_that_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, run = sample.new_run(tmp_path)
    key = sample.key_of(0)
    real, room = os.write, [10_000]

    def write(descriptor: int, data: bytes) -> int:
        size = min(len(data), room[0])
        if not size:
            raise OSError(errno.ENOSPC, "No space left on device")
        room[0] -= size
        return real(descriptor, bytes(data[:size]))

    monkeypatch.setattr(os, "write", write)
    written = 0
    with run.writer(key, 1) as writer:
        with pytest.raises(DiskFull, match="--resume") as caught:
            while True:
                writer.visibility([sample.visibility(f"a{written}")])
                writer.step(sample.step(written))
                written += 1
        assert caught.value.exit_code == 1
        assert written > 5
        assert [step.index for step in run.episode(key).steps] == list(range(written))
        room[0] = 10_000
        writer.receipt(sample.receipt(key))
    data = run.episode(key)
    assert [step.index for step in data.steps] == list(range(written + 1))
    assert len(data.visibility) == written + 1
    assert data.receipt is not None


def test_a_failed_write_keeps_the_receipt_for_the_next_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, run = sample.new_run(tmp_path)
    key = sample.key_of(0)

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with run.writer(key, 1) as writer:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            with pytest.raises(DiskFull):
                writer.receipt(sample.receipt(key))
        assert run.receipts() == {}
        writer.receipt(sample.receipt(key))
    assert list(run.receipts()) == [key]


def test_secrets_from_the_environment_are_never_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXAMPLE_API_KEY", 'sk-"quoted"-and-ünïcode')
    monkeypatch.setenv("SHORT_TOKEN", "short")
    monkeypatch.setenv("PLAIN_SECRET", "completed")
    for cached in (encoding.secrets, encoding._escaped_secrets):
        cached.cache_clear()
    try:
        store, run = sample.new_run(tmp_path, config={"typed": 'sk-"quoted"-and-ünïcode'})
        key = sample.play(store, run, 0, text='my key: sk-"quoted"-and-ünïcode, short')
        data = run.episode(key)
    finally:
        monkeypatch.undo()
        for cached in (encoding.secrets, encoding._escaped_secrets):
            cached.cache_clear()
    assert data.steps[0].result == "my key: [secret], short"
    assert data.receipt is not None
    assert data.receipt.status == "completed"
    assert data.receipt.answer == {"report": "my key: [secret], short"}
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"quoted" not in written


def test_rows_are_checked_when_they_are_written(tmp_path: Path) -> None:
    _, run = sample.new_run(tmp_path)
    with run.writer(sample.key_of(0), 1) as writer:
        for table, row, message in [
            ("nothing", {}, "not declared"),
            ("notes", {"other": 1}, "no column"),
            ("notes", {"note": 5}, "VARCHAR"),
            ("notes", {"weight": True}, "DOUBLE"),
        ]:
            with pytest.raises(PluginError, match=message):
                writer.row(table, row)
        with pytest.raises(PluginError, match="private=True"):
            writer.row("notes", {}, private=True)
        writer.row("notes", {"weight": None})


def test_a_value_that_is_no_json_is_refused_and_named(tmp_path: Path) -> None:
    _, run = sample.new_run(tmp_path)
    with run.writer(sample.key_of(0), 1) as writer:
        with pytest.raises(PluginError, match="set"):
            writer.start({"x": {1, 2}})
        writer.start({"x": [float("nan"), float("inf"), -float("inf")]})
    assert run.episode(sample.key_of(0)).start == {"x": ["NaN", "Infinity", "-Infinity"]}


@pytest.mark.parametrize("depth", [90, 98, 99, 400, 900, 100_000])
def test_what_is_nested_too_deep_is_cut_there(tmp_path: Path, depth: int) -> None:
    store, run = sample.new_run(tmp_path)
    nested: object = "\ud83d\ude00"
    for _ in range(depth):
        nested = [nested]
    key = sample.key_of(0)
    with run.writer(key, 1) as writer:
        writer.call(sample.call(0, {"text": "[" * 1000, "arguments": nested}))
        writer.receipt(sample.receipt(key, answer={"x": nested}))
    assert run.episode(key).receipt == run.receipts()[key]
    reply = run.episode(key).calls[0].reply
    assert reply is not None and reply["text"] == "[" * 1000
    assert ("[nested too deep]" in repr(reply)) is (depth > 98)
    assert Collector(store).ingest(run) == 1
