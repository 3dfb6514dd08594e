import asyncio

import pytest

from embodied_eval.errors import BudgetReached, ConfigError
from embodied_eval.models.budget import Budget
from embodied_eval.models.prices import Price, TokenBound, given_prices, output_tokens, tokens_at_most
from embodied_eval.models.types import Image, Reply, Request, user


def test_reserve_and_settle() -> None:
    async def play() -> None:
        budget = Budget(usd=1.0, tokens=1000)
        held = await budget.reserve(400, 0.5)
        budget.settle(held, 100, 0.125)
        assert (budget.spent_tokens, budget.spent_usd, budget.estimated) == (100, 0.125, False)
        with pytest.raises(BudgetReached, match=r"\$1\.00 is used up: \$0\.1250 spent.*\$0\.9000"):
            await budget.reserve(10, 0.9)
        with pytest.raises(BudgetReached, match="1,000 tokens is used up: 100 spent"):
            await budget.reserve(901, 0.0)

    asyncio.run(play())


def test_a_call_waits_for_what_others_hold() -> None:
    async def play() -> None:
        budget = Budget(tokens=100)
        first = await budget.reserve(80)
        second = asyncio.create_task(budget.reserve(80))
        await asyncio.sleep(0)
        assert not second.done()
        budget.settle(first, 10, 0.0)
        held = await second
        third = asyncio.create_task(budget.reserve(60))
        await asyncio.sleep(0)
        budget.settle(held, 80, 0.0)
        with pytest.raises(BudgetReached):
            await third

    asyncio.run(play())


def test_a_cancelled_waiter_leaves_nothing_behind() -> None:
    async def play() -> None:
        budget = Budget(tokens=100)
        held = await budget.reserve(80)
        waiter = asyncio.create_task(budget.reserve(80))
        await asyncio.sleep(0)
        waiter.cancel()
        budget.settle(held, 0, 0.0)
        assert (await budget.reserve(100)).tokens == 100

    asyncio.run(play())


def test_unknown_is_never_zero() -> None:
    async def play() -> None:
        budget = Budget()
        budget.settle(await budget.reserve(0, None), 50, None)
        assert budget.spent_usd is None and budget.spent_tokens == 50
        limited = Budget(usd=1.0)
        limited.forfeit(await limited.reserve(500, 0.25))
        assert (limited.spent_usd, limited.spent_tokens, limited.estimated) == (0.25, 500, True)
        with pytest.raises(ConfigError, match="known price"):
            await limited.reserve(1, None)

    asyncio.run(play())


def test_illegal_budgets() -> None:
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ConfigError):
            Budget(usd=wrong)
    with pytest.raises(ConfigError):
        Budget(tokens=-1)


def test_given_prices() -> None:
    prices, videos = given_prices({"a": [2.5, 10], "v": 0.1})
    assert prices["a"].usd(1_000_000, 100_000) == pytest.approx(3.5) and videos == {"v": 0.1}
    for wrong in ([1], [1, -2], "ab", [True, 1], {"in": 1}, [float("nan"), 1]):
        with pytest.raises(ConfigError, match="price of 'a'"):
            given_prices({"a": wrong})


def test_bounds() -> None:
    messages = (user("käse", Image(b"x", ref="a0")),)
    assert tokens_at_most(messages) == 16 + 5 + 2000 + 2
    bound, request = TokenBound(), Request("agent", "m", messages, sampling={"max_tokens": 7})
    assert bound.tokens_in(request, 0) == 2023 and output_tokens(request, None) == 7
    bound.settle(request, Reply(tokens_in=900, tokens_out=5))
    longer = Request("agent", "m", (*messages, user("more")))
    assert bound.tokens_in(longer, 1) == 900 + 16 + 4
    assert bound.tokens_in(longer, 0) > 2000
    assert output_tokens(longer, None) == 8192 and output_tokens(longer, Price(1, 1, 64)) == 64
