"""Which physical plans cost no more than others."""

from __future__ import annotations

import pytest

from tests.plans.physical import Cost, costs_no_more

JOIN = Cost(0, "SortMergeJoin", "Inner  keys 1")
EXCHANGE = Cost(1, "Exchange", "hashpartitioning 1")
SCAN = Cost(2, "FileScan", "t [] [] struct<a:int>")
REUSED = Cost(1, "ReusedExchange", "")
VALUE = Cost(1, "ReusedSubquery", "")
TWICE = [JOIN, EXCHANGE, SCAN, EXCHANGE, SCAN]


@pytest.mark.parametrize(
    "plan",
    [
        TWICE,
        [JOIN, EXCHANGE, SCAN, REUSED],
        [JOIN, EXCHANGE, VALUE._replace(depth=2), SCAN, EXCHANGE, SCAN],
        [JOIN, EXCHANGE, SCAN, VALUE, REUSED],
    ],
)
def test_reuse_costs_no_more(plan: list[Cost]) -> None:
    assert costs_no_more(plan, TWICE)
    assert costs_no_more(TWICE, plan) == (plan is TWICE)


@pytest.mark.parametrize(
    "plan",
    [
        [JOIN, EXCHANGE, SCAN],
        [JOIN, EXCHANGE, SCAN, EXCHANGE],
        [*TWICE, Cost(1, "Sort", "1")],
        [JOIN, EXCHANGE, SCAN, EXCHANGE, SCAN._replace(details="t [] [] struct<a:int,b:int>")],
        [JOIN._replace(details="Cross  keys 0"), *TWICE[1:]],
        [JOIN, EXCHANGE, SCAN, REUSED._replace(depth=2)],
        [JOIN, REUSED, REUSED, SCAN],
    ],
)
def test_everything_else_is_equal(plan: list[Cost]) -> None:
    assert not costs_no_more(plan, TWICE)
