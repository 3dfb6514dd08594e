from pathlib import Path

import pytest

from embodied_eval.store import Collector, RunDir, Store
from embodied_eval.store.check import check
from embodied_eval.store.database import writable
from tests.store import sample


@pytest.fixture
def filled(tmp_path: Path) -> tuple[Store, RunDir]:
    store, run = sample.new_run(tmp_path)
    for number in (0, 1):
        key = sample.play(store, run, number)
        run.save_verdicts("truth", {}, key, sample.verdicts(True))
    sample.play(store, run, 2, finish=False)
    Collector(store).ingest(run)
    return store, run


def only(problems: list[str]) -> str:
    """The only problem."""
    assert len(problems) == 1, problems
    return problems[0]


def test_a_sound_store_has_no_problems(filled: tuple[Store, RunDir]) -> None:
    assert check(filled[0]) == []


def test_missing_and_changed_frames_are_found(filled: tuple[Store, RunDir]) -> None:
    store, run = filled
    frames = run.episode(sample.key_of(1)).frames
    store.frames.path(frames["a1"].sha256).unlink()
    store.frames.path(frames["a2"].sha256).write_bytes(b"changed")
    first, second = check(store)
    assert "frame a1" in first
    assert "missing" in first
    assert "frame a2" in second


def test_damaged_spools_are_found(filled: tuple[Store, RunDir]) -> None:
    store, run = filled
    spool = run.path / "spool" / f"{sample.key_of(2)}.1.jsonl"
    spool.write_bytes(b"damaged\n" + spool.read_bytes())
    assert f"{spool}, line 1" in only(check(store))


def test_a_private_spool_cut_short_is_found(filled: tuple[Store, RunDir]) -> None:
    store, run = filled
    private = run.path / "private" / f"{sample.key_of(0)}.1.jsonl"
    private.write_bytes(b"".join(private.read_bytes().splitlines(keepends=True)[:-1]))
    assert str(private) in only(check(store))


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("DELETE FROM steps WHERE step = 1 AND episode_key = (SELECT min(episode_key) FROM steps)", "2 rows of steps"),
        ("UPDATE episodes SET attempt = 4 WHERE repeat = 0", "attempt 4"),
        ("UPDATE episodes SET attempt = 1 WHERE repeat = 2", "None in the spools"),
        ("INSERT INTO episodes SELECT * FROM episodes WHERE repeat = 0", "2 times"),
        ("UPDATE meta SET schema_version = 3", "schema 3"),
        ("INSERT INTO episodes (run_id, episode_key) VALUES ('gone', 'x')", "the run gone"),
    ],
)  # fmt: skip
def test_a_database_that_disagrees_is_found(filled: tuple[Store, RunDir], sql: str, told: str) -> None:
    store, _ = filled
    with writable(store.database) as connection:
        connection.execute(sql)
    assert told in only(check(store))


def test_a_missing_or_corrupt_database_is_found(filled: tuple[Store, RunDir]) -> None:
    store, _ = filled
    store.database.write_bytes(b"x" * 9000)
    assert "cannot be read" in only(check(store))
    store.database.unlink()
    assert "is missing" in only(check(store))


def test_damaged_run_files_are_found(filled: tuple[Store, RunDir]) -> None:
    store, run = filled
    verdicts = run.path / "judgements" / "truth.jsonl"
    verdicts.write_bytes(b"bad\n" + verdicts.read_bytes())
    assert str(verdicts) in only(check(store))
    (run.path / "run.json").write_text("{")
    assert any(str(run.path / "run.json") in problem for problem in check(store))
