import json
from pathlib import Path

import pytest

from embodied_eval.errors import (
    DataFileError,
    PluginError,
    SchemaMismatch,
    StoreError,
    UnknownName,
    UsageError,
)
from embodied_eval.store import Store
from tests.store import sample


def test_a_store_says_its_schema_and_is_opened_again(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "store"
    Store.open(folder)
    assert json.loads((folder / "store.json").read_text()) == {"schema": "embodied-eval/store/1"}
    assert Store.open(folder, create=False).root == folder


def test_what_is_no_store_is_not_opened(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="There is no store"):
        Store.open(tmp_path / "none", create=False)
    (tmp_path / "file").write_text("x")
    for path in (tmp_path, tmp_path / "file"):
        with pytest.raises(DataFileError, match="not a store"):
            Store.open(path)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ('{"schema": "embodied-eval/store/2"}', SchemaMismatch),
        ('{"schema": "something/else/1"}', DataFileError),
        ("[]", DataFileError),
        ("{", DataFileError),
        ("\x00", DataFileError),
    ],
)
def test_another_schema_is_named(tmp_path: Path, content: str, error: type[Exception]) -> None:
    Store.open(tmp_path)
    (tmp_path / "store.json").write_text(content)
    with pytest.raises(error, match=r"store\.json") as caught:
        Store.open(tmp_path)
    if error is SchemaMismatch:
        assert "store/2" in str(caught.value)
        assert "store/1" in str(caught.value)


def test_a_run_of_another_schema_is_named(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    (run.path / "run.json").write_text('{"schema": "embodied-eval/run/9"}')
    with pytest.raises(SchemaMismatch, match="run/9"):
        _ = store.run(None).manifest


def test_runs_are_found_by_id_beginning_or_being_the_only_one(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    with pytest.raises(UnknownName, match="holds none"):
        store.run(None)
    _, first = sample.new_run(tmp_path, run_id="toy-a-1")
    assert store.run(None).id == store.run("toy").id == first.id
    sample.new_run(tmp_path, run_id="toy-a-12", created_at="2026-01-02T00:00:00+00:00")
    assert store.run("toy-a-1").id == "toy-a-1"
    assert store.run("toy-a-12").id == "toy-a-12"
    for ref in (None, "toy", ""):
        with pytest.raises(UnknownName, match="single run"):
            store.run(ref)
    with pytest.raises(UnknownName, match="Did you mean 'toy-a-1'"):
        store.run("tpy-a-1")
    assert [run.id for run in store.runs()] == ["toy-a-12", "toy-a-1"]


def test_run_means_an_id_a_run_folder_or_a_store_with_one_run(tmp_path: Path) -> None:
    _, run = sample.new_run(tmp_path / "one", run_id="toy-one")
    sample.new_run(tmp_path / "two", run_id="toy-two")
    for ref in ("toy-one", "toy-o", None, str(run.path), str(tmp_path / "one")):
        assert Store.resolve(ref, tmp_path / "one")[1].path == run.path
    for ref in (str(run.path), str(tmp_path / "one")):
        store, found = Store.resolve(ref, tmp_path / "two")
        assert (store.root, found.id) == (tmp_path / "one", "toy-one")
    with pytest.raises(UnknownName):
        Store.resolve("toy-one", tmp_path / "two")
    with pytest.raises(DataFileError):
        Store.resolve("toy-one", tmp_path / "three")
    assert not (tmp_path / "three").exists()


@pytest.mark.parametrize("run_id", ["../evil", "a/b", "", ".hidden", "x" * 161, "a..b", "nul\x00"])
def test_a_run_id_must_be_able_to_name_a_folder(tmp_path: Path, run_id: str) -> None:
    with pytest.raises(UsageError):
        sample.new_run(tmp_path / "store", run_id=run_id)
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("key", ["../evil", "a.b", "", "x" * 81])
def test_an_episode_key_must_be_able_to_name_a_file(tmp_path: Path, key: str) -> None:
    _, run = sample.new_run(tmp_path)
    for use in (lambda: run.writer(key, 1), lambda: run.next_attempt(key), lambda: run.episode(key)):
        with pytest.raises(UsageError):
            use()


def test_a_run_is_created_once(tmp_path: Path) -> None:
    sample.new_run(tmp_path, run_id="mine")
    with pytest.raises(StoreError, match="already"):
        sample.new_run(tmp_path, run_id="mine")
    with pytest.raises(UsageError, match="schema"):
        sample.new_run(tmp_path, run_id="other", schema="other")


def test_runs_that_drew_the_same_digits_are_two(tmp_path: Path) -> None:
    store, first = sample.new_run(tmp_path, run_id="toy-m-20261130T101530-00ff")
    _, second = sample.new_run(tmp_path, run_id="toy-m-20261130T101530-00ff")
    assert first.id == "toy-m-20261130T101530-00ff" != second.id
    assert second.id.startswith("toy-m-20261130T101530-") and second.manifest["run_id"] == second.id
    assert {run.id for run in store.runs()} == {first.id, second.id}


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ('x"; DROP TABLE runs; --', {"a": "VARCHAR"}),
        ("x", {'a" INT); DROP TABLE runs; --': "VARCHAR"}),
        ("x", {"a": "VARCHAR); DROP TABLE runs; --"}),
        ("x", {"a": "BLOB"}),
        ("x", {"run_id": "VARCHAR"}),
        ("X", {"a": "VARCHAR"}),
        ("x", {}),
    ],
)
def test_tables_with_illegal_names_or_types_are_refused(
    tmp_path: Path, table: str, columns: dict[str, str]
) -> None:
    with pytest.raises(PluginError):
        sample.new_run(tmp_path, tables={table: {"columns": columns, "version": 1, "private": False}})


def test_a_plugin_table_cannot_take_a_core_tables_name(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match="core table"):
        sample.new_run(tmp_path, benchmark="tasks", tables={"private": {"columns": {"a": "VARCHAR"}}})


def test_the_manifest_is_updated_in_place(tmp_path: Path) -> None:
    store, run = sample.new_run(tmp_path)
    run.update_manifest(renderer="llvmpipe")
    assert run.manifest["renderer"] == store.run(None).manifest["renderer"] == "llvmpipe"
    assert run.manifest["plan"] == store.run(None).manifest["plan"]
    assert run.private_tasks() == {"room/1": {"target": sample.MARKER}}
    assert not list(tmp_path.rglob("*.tmp"))


def test_an_unknown_episode_is_named(tmp_path: Path) -> None:
    _, run = sample.new_run(tmp_path)
    with pytest.raises(UnknownName):
        run.episode(sample.key_of(0))


def test_frames_are_stored_once_and_verified(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    sha256 = store.frames.put(b"picture", "image/png")
    path = store.frames.path(sha256)
    assert path.relative_to(tmp_path).as_posix() == f"frames/{sha256[:2]}/{sha256}.png"
    before = path.stat().st_mtime_ns
    assert store.frames.put(b"picture", "image/png") == sha256
    assert path.stat().st_mtime_ns == before
    assert len([found for found in (tmp_path / "frames").rglob("*") if found.is_file()]) == 1
    path.write_bytes(b"other")
    assert store.frames.get(sha256) == b"other"
    with pytest.raises(DataFileError, match="bytes"):
        store.frames.get(sha256, verify=True)
    for bad in ("0" * 64, "../../etc/passwd", ""):
        with pytest.raises(DataFileError):
            store.frames.get(bad)
    with pytest.raises(UsageError, match="text/html"):
        store.frames.put(b"<p>", "text/html")


def test_later_verdicts_replace_earlier_ones(tmp_path: Path) -> None:
    _, run = sample.new_run(tmp_path)
    assert (run.judges(), run.verdicts("truth"), run.metrics("truth")) == ({}, {}, ())
    key, other = sample.key_of(0), sample.key_of(1)
    identity = {"name": "truth", "version": 1}
    run.save_verdicts("truth", identity, key, sample.verdicts(False))
    run.save_verdicts("truth", identity, other, sample.verdicts(True))
    run.save_verdicts("truth", identity, key, sample.verdicts(True, "after all"))
    run.save_metrics("truth", [sample.metric()])
    run.save_metrics("truth", [sample.metric(), sample.metric("evidenced_rate", value=None, reason="none")])
    assert run.judges() == {"truth": identity}
    assert run.verdicts("truth") == {
        key: tuple(sample.verdicts(True, "after all")),
        other: tuple(sample.verdicts(True)),
    }
    assert [metric.name for metric in run.metrics("truth")] == ["success_rate", "evidenced_rate"]


@pytest.mark.parametrize("judge", ["openai/gpt-4o", "OPENAI/gpt-4o", "../../evil", "é", "a" * 300])
def test_any_judge_key_gets_files_of_its_own(tmp_path: Path, judge: str) -> None:
    _, run = sample.new_run(tmp_path)
    for key in (judge, "truth", "openai-gpt-4o"):
        run.save_verdicts(key, {"name": key}, sample.key_of(0), sample.verdicts(True, key))
    assert list(run.judges().items()) == [(key, {"name": key}) for key in (judge, "truth", "openai-gpt-4o")]
    assert run.verdicts(judge)[sample.key_of(0)][0].reason == judge
    assert len(list((run.path / "judgements").iterdir())) == 6


def test_a_torn_verdict_is_cut_off_before_the_next(tmp_path: Path) -> None:
    _, run = sample.new_run(tmp_path)
    run.save_verdicts("truth", {}, sample.key_of(0), sample.verdicts(True))
    with (run.path / "judgements" / "truth.jsonl").open("ab") as file:
        file.write(b'{"episode_key":"' + b"x" * 10_000)
    assert list(run.verdicts("truth")) == [sample.key_of(0)]
    run.save_verdicts("truth", {}, sample.key_of(1), sample.verdicts(True))
    assert list(run.verdicts("truth")) == [sample.key_of(0), sample.key_of(1)]
