"""Every operation over every other, and over itself: it has Spark's types, and the rows of running one step at a time.

Each operation here keeps the columns, so that any other can follow. Tests that compare rows use hostile column names.
"""

from __future__ import annotations

import datetime as dt
import functools
import itertools
import random
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from ir.rendering import Layout
from tableapi import DataTypes, EnvironmentSettings, Expression, Table, TableEnvironment
from tableapi.expressions import array, coalesce, col, exists, explode, lit, row_number, scalar, with_columns
from tableapi.window import Over, Session, Slide, Tumble
from tests.answers import FETCHING, Answers
from tests.comparison import assert_schema_is_sparks, plain

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# The rows of both queries are Spark's, so that their texts decide whether they are the same.
ANSWERS = Answers("combinations", "tests/test_combinations.py", *FETCHING)
NAMES = {
    "plain": ["k", "v", "amount", "at", "tags", "place"],
    "hostile": ["select", "a`b", "EXPR$0", "window.start", "_c0", "x y\n"],
}
_TYPES = [
    DataTypes.INT(),
    DataTypes.STRING(),
    DataTypes.DECIMAL(10, 2),
    DataTypes.TIMESTAMP(),
    DataTypes.ARRAY(DataTypes.STRING()),
    DataTypes.ROW([DataTypes.FIELD("x", DataTypes.INT()), DataTypes.FIELD("y", DataTypes.STRING())]),
]
_AT = dt.datetime(2024, 1, 1, 10)
_ROWS: list[tuple[Any, ...]] = [
    (1, "a", Decimal("1.50"), _AT, ["p", None], (1, "z")),
    (1, "a", Decimal("1.50"), _AT, ["p", None], (1, "z")),
    (2, "b", None, _AT + dt.timedelta(days=2), [], (None, None)),
    (3, None, Decimal("-7.25"), None, None, None),
    (None, "a", Decimal("0.00"), _AT + dt.timedelta(minutes=1), ["q"], (2, None)),
]

Columns = list[Expression[Any]]
Operation = Callable[[Table, list[str]], Table]


def _cols(names: list[str]) -> Columns:
    return [col(name) for name in names]


def _rest(names: list[str], start: int = 1) -> Columns:
    """Return an aggregate of each column from a position on, with the column's type, and independent of the order."""
    number = {0: lambda c: c.max, 1: lambda c: c.max, 2: lambda c: c.sum.cast(_TYPES[2]), 3: lambda c: c.min}
    return [(number[i](col(n)) if i in number else col(n).max).alias(n) for i, n in enumerate(names) if i >= start]


def _grouped(table: Table, names: list[str]) -> Table:
    return table.group_by(col(names[0])).select(col(names[0]), *_rest(names))


def _windowed(window: Any) -> Operation:
    def apply(table: Table, names: list[str]) -> Table:
        grouped = table.window(window.on(col(names[3])).alias("w")).group_by(col("w"), col(names[0]))
        times = [col("w").start.alias(names[3])]
        chosen = [col(names[0]), *_rest(names[:3]), *times, *_rest(names, 4)]
        return grouped.select(*chosen)

    return apply


def _pivoted(table: Table, names: list[str]) -> Table:
    found = table.group_by(col(names[0])).pivot(col(names[1]), {"a": "a"}).select(col(names[2]).sum)
    values = [lit("a").alias(names[1]), col("a").cast(_TYPES[2]).alias(names[2])]
    missing = [lit(None, data_type).alias(name) for name, data_type in list(zip(names, _TYPES, strict=True))[3:]]
    return found.select(col(names[0]), *values, *missing)


def _other(table: Table, names: list[str]) -> Table:
    """Return the same table with other column names."""
    return table.alias(*[f"other {number}" for number in range(len(names))])


OPERATIONS: dict[str, Operation] = {
    "select": lambda t, n: t.select((col(n[0]) + 1).alias(n[0]), *_cols(n[1:])),
    "filter": lambda t, n: t.filter(col(n[0]).is_null | (col(n[2]) > -1)),
    "distinct": lambda t, n: t.distinct(),
    "add columns": lambda t, n: t.add_columns((col(n[0]) * 2).alias("new")).drop_columns(col("new")),
    "rename": lambda t, n: t.rename_columns(col(n[1]).alias("new")).rename_columns(col("new").alias(n[1])),
    "choice": lambda t, n: t.select(with_columns(1, 2), with_columns(*n[2:])),
    "order": lambda t, n: t.order_by(*[col(name).desc for name in n]).limit(3, 1),
    "group": _grouped,
    "global": lambda t, n: t.select(*_rest(n, 0)),
    "rollup": lambda t, n: t.rollup(col(n[0])).select(col(n[0]), *_rest(n)),
    "conditional": lambda t, n: t.group_by(col(n[1])).select(
        col(n[0]).max.where(col(n[2]).is_not_null).alias(n[0]), col(n[1]), *_rest(n, 2)
    ),
    "pivot": _pivoted,
    "unpivot": lambda t, n: t.unpivot([*_cols(n[:1]), *_cols(n[2:])], [col(n[1])], "label", "value").select(
        col(n[0]), col("value").alias(n[1]), *_cols(n[2:])
    ),
    "join": lambda t, n: t.join(_other(t, n), col(n[0]) == col("other 0")).select(*_cols(n)),
    "outer join": lambda t, n: t.full_outer_join(_other(t, n), col(n[0]) < col("other 0")).select(*_cols(n)),
    "union": lambda t, n: t.union_all(t.filter(col(n[0]) > 1)),
    "minus": lambda t, n: t.minus(t.filter(col(n[0]) == 2)),
    "in": lambda t, n: t.filter(col(n[0]).in_(t.select(col(n[0]) + 1))),
    "exists": lambda t, n: t.filter(~exists(_other(t, n).filter(col("other 0") > t.outer(n[0])))),
    "scalar": lambda t, n: t.filter(col(n[2]) <= scalar(t.select(col(n[2]).max))),
    "lateral": lambda t, n: t.left_outer_join_lateral(explode(col(n[4])).alias("tag")).select(
        *_cols(n[:4]), array(col("tag")).alias(n[4]), col(n[5])
    ),
    "over": lambda t, n: t.select(
        coalesce(row_number().over(Over.partition_by(col(n[1])).order_by(*_cols(n))), 0).alias(n[0]), *_cols(n[1:])
    ),
    "first of each": lambda t, n: t.filter(
        row_number().over(Over.partition_by(col(n[0])).order_by(*_cols(n[1:]))) == 1
    ),
    "tumble": _windowed(Tumble.over(lit(1).days)),
    "slide": _windowed(Slide.over(lit(2).hours).every(lit(1).hours)),
    "session": _windowed(Session.with_gap(lit(5).minutes)),
    "sample": lambda t, n: t.sample(1.0, 1),
    "distribute": lambda t, n: t.distribute_by(col(n[0]), col(n[1]) + "x"),
    "sort partitions": lambda t, n: t.sort_within_partitions(col(n[0]).desc, col(n[1])),
    "hint": lambda t, n: t.hint("repartition", 2, col(n[0])),
}
PAIRS = list(itertools.product(OPERATIONS, repeat=2))


@pytest.fixture(scope="module")
def environment(spark: SparkSession) -> TableEnvironment:
    return TableEnvironment.create(spark=spark.newSession())


@pytest.fixture(scope="module")
def offline() -> TableEnvironment:
    return TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())


def _question(table: Table) -> tuple[object, ...]:
    columns = [(column.name, column.data_type) for column in table.get_resolved_schema().columns]
    return columns, [table.as_serializable_string(layout=layout) for layout in Layout]


def _table(environment: TableEnvironment, kind: str, rows: list[tuple[Any, ...]]) -> Table:
    fields = [DataTypes.FIELD(name, data_type) for name, data_type in zip(NAMES[kind], _TYPES, strict=True)]
    return environment.from_elements(rows, DataTypes.ROW(fields))


@pytest.mark.parametrize("second", OPERATIONS)
@pytest.mark.usefixtures("jvm")
def test_types_of_every_operation_over_every_other(
    second: str, offline: TableEnvironment, request: pytest.FixtureRequest
) -> None:
    names = NAMES["plain"]
    for first in OPERATIONS:
        query = _over(offline, first, second)
        assert list(query.get_resolved_schema().names) == names
        if not ANSWERS.know("types", *_question(query)):
            environment = request.getfixturevalue("environment")
            assert_schema_is_sparks(_over(environment, first, second), environment.spark)
            ANSWERS.keep("types", *_question(query))


def _over(environment: TableEnvironment, first: str, second: str) -> Table:
    table, names = _table(environment, "plain", _ROWS), NAMES["plain"]
    return OPERATIONS[second](OPERATIONS[first](table, names), names)


def _rows(table: Table) -> Counter[str]:
    return Counter(repr(tuple(map(plain, row))) for row in table.execute().collect())


# Each operation over itself, and a constant sample of the other pairs.
CHOSEN = [(name, name) for name in OPERATIONS] + random.Random(20).sample(PAIRS, 40)


@functools.cache
def _after(environment: TableEnvironment, first: str) -> tuple[Table, Table]:
    """Return a query of one step, and a table with its rows."""
    halfway = OPERATIONS[first](_table(environment, "hostile", _ROWS), NAMES["hostile"])
    kept = environment.from_arrow(halfway.to_arrow()).select(
        *[col(c.name).cast(c.data_type).alias(c.name) for c in halfway.get_resolved_schema().columns]
    )
    return halfway, kept


@pytest.mark.parametrize(("first", "second"), CHOSEN, ids=lambda name: name.replace(" ", "_"))
@pytest.mark.usefixtures("jvm")
def test_rows_equal_those_of_single_steps(
    first: str, second: str, offline: TableEnvironment, request: pytest.FixtureRequest
) -> None:
    names = NAMES["hostile"]
    halfway = OPERATIONS[first](_table(offline, "hostile", _ROWS), names)
    question = ("rows", _question(halfway), _question(OPERATIONS[second](halfway, names)))
    if not ANSWERS.know(*question):
        _assert_rows_of_single_steps(first, second, request.getfixturevalue("environment"))
        ANSWERS.keep(*question)


def _assert_rows_of_single_steps(first: str, second: str, environment: TableEnvironment) -> None:
    names = NAMES["hostile"]
    halfway, kept = _after(environment, first)
    assert_schema_is_sparks(OPERATIONS[second](halfway, names), environment.spark)
    assert _rows(OPERATIONS[second](halfway, names)) == _rows(OPERATIONS[second](kept, names))


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.usefixtures("jvm")
def test_no_rows(name: str, offline: TableEnvironment, request: pytest.FixtureRequest) -> None:
    question = ("no rows", *_question(_over_no_rows(offline, name)))
    if not ANSWERS.know(*question):
        found = _rows(_over_no_rows(request.getfixturevalue("environment"), name))
        # A global aggregation returns one row, even over no rows.
        assert found == (Counter([repr((None,) * 6)]) if name == "global" else Counter())
        ANSWERS.keep(*question)


def _over_no_rows(environment: TableEnvironment, name: str) -> Table:
    return OPERATIONS[name](_table(environment, "plain", []), NAMES["plain"])
