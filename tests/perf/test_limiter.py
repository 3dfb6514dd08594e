"""The measuring command of the limiter runs; that it reaches its targets is asked in the long sweep alone."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.perf import limiter

pytestmark = [
    pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm"),
    pytest.mark.xdist_group("litellm"),
]


def test_the_command_measures() -> None:
    document = limiter.measure(1, rate=200.0, calls=24)
    figures = document["figures"]
    assert document["command"] == "python -m tests.perf.limiter"
    assert figures["exact_seconds"] > 0 and 0 < figures["exact_share_of_possible"] <= 1.0


@pytest.mark.full
def test_two_gateways_use_a_token_bucket_up_and_are_hardly_ever_refused() -> None:
    figures = limiter.measure(3)["figures"]
    assert figures["exact_share_of_rate"] >= 0.95
    assert figures["exact_refused_share"] < 0.02 and figures["whole_refused_share"] < 0.02
