"""Deep and long queries as Python code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ir.types import LogicalType
from tableapi import Table
from tableapi.expressions import if_then_else, null_of
from tests.depth import DEPTH
from tests.to_python.evaluated import TABLES, T, written, x

pytestmark = pytest.mark.usefixtures("short_stack")


def _chain(step: Callable[[Any, int], Any], start: Any) -> Any:
    for i in range(DEPTH):
        start = step(start, i)
    return start


@pytest.mark.parametrize(
    "build",
    [
        lambda bag: _chain(lambda table, i: table.filter(x > i), bag),
        lambda bag: bag.select(_chain(lambda e, i: e + i, x).alias("e")),
        lambda bag: bag.select(_chain(lambda e, i: i - e, x).alias("e")),
        lambda bag: bag.filter(_chain(lambda e, i: e | (x > i), x < 0)),
        lambda bag: bag.select(_chain(lambda e, i: if_then_else(x > i, e, i), x).alias("e")),
        lambda bag: bag.filter(x.in_(*range(DEPTH))),
        lambda bag: _chain(lambda table, i: table.union_all(bag), bag),
    ],
    ids=["filters", "sum", "differences", "or", "case", "in", "unions"],
)
def test_depth(build: Callable[[Table], Table]) -> None:
    written(build(TABLES.left_bag))


def test_repeated_subtrees_are_written_once() -> None:
    table, expression = TABLES.left_bag, x
    for _ in range(40):
        table, expression = table.union_all(table), expression + expression
    assert written(table.select(expression.alias("e"))).count("\n") < 500


def test_deep_types_are_written_in_parts() -> None:
    kind: LogicalType = T.INT()
    for _ in range(100):
        kind = T.ARRAY(kind)
    written(TABLES.left_bag.select(null_of(kind).alias("e")))
