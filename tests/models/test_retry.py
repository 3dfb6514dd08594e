import random
from datetime import UTC, datetime

import pytest

from embodied_eval.errors import ModelBadRequest, ModelTimeout, RateLimited
from embodied_eval.models.retry import Retry, retry_after_s

NOW = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        (" 1.5 ", 1.5),
        ("Wed, 02 Jan 2030 03:04:35 GMT", 30.0),
        ("Wed, 02 Jan 2030 03:00:00 GMT", 0.0),
        ("soon", None),
        ("-3", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after_s(value, NOW) == seconds


def test_waits() -> None:
    retry, rng = Retry(tries=10), random.Random(3)
    late = ModelTimeout("late")
    for failures, base in ((1, 1), (2, 2), (3, 4), (9, 30)):
        wait_s = retry.wait_s(failures, late, rng)
        assert wait_s is not None and 0.5 * base <= wait_s <= 1.5 * base
    assert retry.wait_s(10, late, rng) is None
    assert retry.wait_s(1, ModelBadRequest("no"), rng) is None
    assert retry.wait_s(1, RateLimited("slow", retry_after_s=12.0), rng) == 12.0
    assert retry.wait_s(1, RateLimited("slow", retry_after_s=3600.0), rng) is None
