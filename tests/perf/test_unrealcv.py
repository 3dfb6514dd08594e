"""The commands that measure the UnrealCV client run and print what the documents quote. No time is judged here."""

from __future__ import annotations

import pytest

from tests.drivers.unrealcv.fake_server import REPLY_FAULTS
from tests.perf import unrealcv_faults, unrealcv_throughput


def test_throughput() -> None:
    pytest.importorskip("unrealcv")
    made = unrealcv_throughput.measure(1, share=0.02)
    assert set(made["targets_at_most"]) <= set(made["figures"])
    assert all(made["figures"][f"{size}_ours_wall_ms"] > 0 for size in unrealcv_throughput.SIZES)


def test_faults() -> None:
    made = unrealcv_faults.measure(20, 0, 7)
    assert (made["figures"]["stale"], made["targets_missed"]) == (0, [])
    assert set(made["by_fault"]) == set(REPLY_FAULTS)
    assert made["by_fault"]["late"]["ours"][0] == "StepTimeout"
    assert not any("stale" in told["ours"] for told in made["by_fault"].values())
