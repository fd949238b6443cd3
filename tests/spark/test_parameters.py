"""Query parameters compared with Spark's: their values, and the names of columns that contain them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from tableapi import TableEnvironment
from tests.spark.rows import rows


@pytest.mark.parametrize(
    ("text", "params"),
    [
        ("SELECT :p, :p + 1, (:p) * 2, - (:p)", {"p": 1}),
        ("SELECT ?, UPPER(?), ? || 'b'", ["it's", "a", "x"]),
        ("SELECT ?, ?, ?, ?", [1.5, -1, Decimal("1.50"), -2.5e30]),
        ("SELECT ?, ?, ?", [True, None, b"ab"]),
        ("SELECT ?, ?", [dt.date(2020, 1, 1), dt.timedelta(days=1, seconds=2)]),
        ("SELECT :p 'b', UPPER(:p 'c' 'd'), LENGTH(? 'x')".replace("?", ":q"), {"p": "a", "q": ""}),
        ("SELECT a IN (:p, 2), a BETWEEN :p AND 5, CASE WHEN a = :p THEN :p END FROM VALUES (1) t(a)", {"p": 1}),
        ("SELECT COUNT(:p), SUM(a + :p) OVER (ORDER BY a) FROM VALUES (1) t(a) GROUP BY a", {"p": 3}),
        ("SELECT v FROM JSON_TABLE('{\"x\": {\"a\": 7}}', :p '.x' COLUMNS (v INT PATH '$' :q))", {"p": "$", "q": ".a"}),
        ("SELECT 'a%' LIKE 'a/%' ESCAPE :p, INTERVAL '1' '2' DAY", {"p": "/"}),
        ("SELECT * FROM VALUES (1, 'x') t(a, b) PIVOT (MAX(a) FOR b IN (:p, :p 'y'))", {"p": "x"}),
    ],
)
def test_values_and_names_are_sparks(spark: Any, text: str, params: Any) -> None:
    env = TableEnvironment.create(spark=spark)
    found, native = env.sql_query(text, params), spark.sql(text, params)
    assert found.get_resolved_schema().names == tuple(native.columns)
    assert rows(found) == [tuple(row) for row in native.collect()]


@pytest.mark.parametrize(
    ("text", "params"),
    [
        ("SELECT a, 5 - a AS b FROM VALUES (1), (2), (3) t(a) ORDER BY :p", {"p": 2}),
        ("SELECT a, 5 - a AS b FROM VALUES (1), (2), (3) t(a) ORDER BY (?) DESC", [1]),
        ("SELECT a, 5 - a AS b FROM VALUES (1), (3), (2) t(a) ORDER BY a * :p", {"p": -1}),
        ("SELECT a % 2 AS m, COUNT(*) FROM VALUES (1), (2), (3) t(a) GROUP BY :p ORDER BY :p", {"p": 1}),
        ("SELECT a % 2 AS m, COUNT(*) FROM VALUES (1), (2), (3) t(a) GROUP BY ROLLUP (?) ORDER BY 1, 2", [1]),
    ],
)
def test_whole_numbers_are_positions_of_columns(spark: Any, text: str, params: Any) -> None:
    env = TableEnvironment.create(spark=spark)
    found = [tuple(row) for row in env.sql_query(text, params).execute().collect()]
    assert found == [tuple(row) for row in spark.sql(text, params).collect()]
