"""The public edition: a marker in every private field occurs nowhere in the folder."""

from __future__ import annotations

from pathlib import Path

from reports.build import write_report
from tests.reports.synthetic import FrameFiles, suite

MARKER = "zq7marker3kx"


def _holders(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).parts[0]
        for path in folder.rglob("*")
        if path.is_file() and (MARKER.encode() in path.read_bytes() or MARKER in path.name)
    }


def test_no_byte_of_the_truth(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    runs = suite(FrameFiles(tmp_path / "store"), secret=MARKER)
    write_report(runs, tmp_path / "private")
    assert _holders(tmp_path / "private") == {"episodes", "benchmark-synthetic.html"}
    write_report(runs, tmp_path / "public", public=True)
    assert _holders(tmp_path / "public") == set()


def test_what_the_public_edition_keeps(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    runs = suite(FrameFiles(tmp_path / "store"), secret=MARKER)
    index = write_report(runs, tmp_path / "public", public=True)
    assert "public edition" in index.read_text(encoding="utf-8")
    pages = {
        path.name[0]: path.read_text(encoding="utf-8")
        for path in sorted((tmp_path / "public" / "episodes").iterdir(), reverse=True)
    }
    other, oracle = pages["2"], pages["0"]
    assert "✗" in other or "✓" in other
    assert "The vase hangs above the table." in other, "a model's own finding stays"
    assert "door: state open" in other and "hidden from the model" not in other
    assert 'class="target"' not in other and "show the truth" not in other and "The truth" not in other
    assert '"boxes":' not in other
    assert "leaves out what it did and said" in oracle and "Steps" not in oracle


def test_rebuilding_publicly_leaves_nothing_private_behind(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    runs = suite(FrameFiles(tmp_path / "store"), tasks=3, secret=MARKER)
    write_report(runs, tmp_path / "out")
    write_report(runs[:2], tmp_path / "out", public=True)
    assert _holders(tmp_path / "out") == set()
