"""The command that measures the server runs and prints what the documents quote. No time is judged here."""

from __future__ import annotations

from pathlib import Path

import pytest

from embodied_eval.worlds.files import write_world
from tests.perf import unrealcv_capture
from tests.worlds import small


@pytest.mark.gl
def test_capture(tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    write_world(small.world(small.crate("crate", (1.0, 0.0, 0.0))), path)
    made = unrealcv_capture.measure(1, str(path), share=0.02)
    assert set(made["targets_at_most"]) <= set(made["figures"])
    assert all(value > 0 for value in made["figures"].values())
