"""Semi joins of streams: one tree for all ways to write them, the text for Spark, and rows equal to batch."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ir.errors import ValidationException
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.operations.semi_join import find_semi_join
from ir.streaming.refusals import OutputMode
from ir.streaming.rules import refusals_in, require_some_mode
from tableapi import Dialect, Layout, Table, TableEnvironment
from tableapi.expressions import col, exists, lit, row
from tests.streams.conftest import NOW, rows
from tests.streams.queries import DELAY
from tests.streams.streams import environment, read
from tests.to_python.evaluated import evaluated

LEFT, RIGHT = f"s1 {DELAY} AS l", f"s2 {DELAY} AS r"
RANKED = f"(SELECT *, max(v) OVER () AS m FROM {RIGHT})"
BOUNDS = "r.ts BETWEEN l.ts - INTERVAL 5 SECONDS AND l.ts + INTERVAL 5 SECONDS"

SAME = {
    "bounds": [
        f"SELECT l.* FROM {LEFT} LEFT SEMI JOIN {RIGHT} ON r.k = l.k AND {BOUNDS}",
        f"SELECT l.* FROM {LEFT} SEMI JOIN {RIGHT} ON r.k = l.k AND {BOUNDS}",
        f"SELECT * FROM {LEFT} WHERE EXISTS (SELECT * FROM {RIGHT} WHERE r.k = l.k AND {BOUNDS})",
        f"SELECT * FROM {LEFT} WHERE EXISTS (SELECT r.v + 1 FROM {RIGHT} WHERE r.k = l.k AND {BOUNDS})",
        f"SELECT * FROM {LEFT} WHERE EXISTS (SELECT 1 FROM (SELECT * FROM {RIGHT} WHERE r.k = l.k) r WHERE {BOUNDS})",
    ],
    "values of both sides": [
        f"SELECT * FROM {LEFT} WHERE v > 3 AND EXISTS (SELECT 1 FROM {RIGHT} WHERE r.v < 9 AND r.k = l.k AND {BOUNDS})",
        f"SELECT * FROM {LEFT} WHERE EXISTS (SELECT 1 FROM {RIGHT} WHERE r.k = l.k AND r.v < 9 AND {BOUNDS}) AND v > 3",
        f"SELECT l.* FROM (SELECT * FROM {LEFT} WHERE v > 3) AS l LEFT SEMI JOIN {RIGHT} "
        f"ON r.k = l.k AND r.v < 9 AND {BOUNDS}",
    ],
    "columns by name": [
        f"SELECT * FROM {LEFT} LEFT SEMI JOIN {RIGHT} USING (k, ts)",
        f"SELECT l.* FROM {LEFT} LEFT SEMI JOIN {RIGHT} ON l.k = r.k AND l.ts = r.ts",
    ],
    "value in a query": [
        f"SELECT * FROM {LEFT} WHERE k IN (SELECT k FROM {RIGHT} WHERE {BOUNDS})",
        f"SELECT * FROM {LEFT} WHERE EXISTS (SELECT 1 FROM {RIGHT} WHERE {BOUNDS} AND r.k = l.k)",
    ],
    "row in a query": [
        f"SELECT * FROM {LEFT} WHERE (k, ts) IN (SELECT k, ts FROM {RIGHT})",
        f"SELECT l.* FROM {LEFT} LEFT SEMI JOIN (SELECT k, ts FROM {RIGHT}) AS r ON r.k = l.k AND r.ts = l.ts",
    ],
}
"""Texts that read as one tree, by name."""


@pytest.mark.parametrize("name", SAME)
def test_all_forms_are_one_tree(name: str) -> None:
    first, *others = map(read, SAME[name])
    assert [other is first for other in others] == [True] * len(others)
    assert find_semi_join(first) is not None
    require_some_mode(first)
    assert {mode for mode in OutputMode if not refusals_in(mode, first)} == {OutputMode.APPEND, OutputMode.UPDATE}


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize("above", ["{}", "SELECT name, v + 1 AS v FROM ({}) AS t WHERE v > 2"])
def test_texts_read_back_as_the_same_tree(name: str, above: str) -> None:
    operation = read(above.format(SAME[name][0]))
    nested = operation.as_serializable_string()
    assert "EXISTS" not in nested
    assert " IN (" not in nested
    assert read(nested) is operation
    merged = operation.as_serializable_string(layout=Layout.MERGED)
    assert "EXISTS" not in merged
    normal = operation.normalize()
    assert read(merged).normalize() is normal
    assert normal.normalize() is normal
    assert read(normal.as_serializable_string()) is normal


def test_the_text_for_flink_has_exists() -> None:
    query = read("SELECT * FROM s1 AS l WHERE EXISTS (SELECT 1 FROM s2 AS r WHERE r.k = l.k AND r.v > 1) AND l.v > 2")
    text = query.as_serializable_string(Dialect.FLINK)
    assert ("EXISTS" in text, "SEMI" in text) == (True, False)
    assert read(text, Dialect.FLINK) is query


def test_the_text_for_spark() -> None:
    where = f"v > 3 AND EXISTS (SELECT 1 FROM {RIGHT} WHERE r.v < 9 AND r.k = l.k AND {BOUNDS})"
    table = environment().sql_query(f"SELECT k FROM {LEFT} WHERE {where}")
    assert (
        table.as_serializable_string(layout=Layout.MERGED, quoting="NEEDED")
        == """\
WITH s1_filtered AS (
    SELECT *
    FROM s1 WATERMARK ts DELAY OF INTERVAL '10' SECOND AS l
    WHERE v > 3
),
s2_filtered AS (
    SELECT *
    FROM s2 WATERMARK ts DELAY OF INTERVAL '10' SECOND
    WHERE v < 9
),
s1_filtered_2 AS (
    SELECT s1.k, s1.ts, s1.v, s1.name
    FROM s1_filtered AS s1
    LEFT SEMI JOIN s2_filtered AS s2
    ON s2.k = s1.k AND s2.ts BETWEEN s1.ts - INTERVAL '5' SECOND AND s1.ts + INTERVAL '5' SECOND
)
SELECT k
FROM s1_filtered_2"""
    )


def test_given_aliases_are_kept() -> None:
    table = environment().sql_query(SAME["bounds"][2])
    assert (
        table.as_serializable_string(layout=Layout.MERGED, quoting="NEEDED")
        == """\
SELECT l.k, l.ts, l.v, l.name
FROM s1 WATERMARK ts DELAY OF INTERVAL '10' SECOND AS l
LEFT SEMI JOIN s2 WATERMARK ts DELAY OF INTERVAL '10' SECOND AS r
ON r.k = l.k AND r.ts BETWEEN l.ts - INTERVAL '5' SECOND AND l.ts + INTERVAL '5' SECOND"""
    )


def _late(name: str) -> Table:
    return environment().from_path(name).watermark(col("ts"), lit(10).seconds)


def test_fluent_calls() -> None:
    left, right = _late("s1"), _late("s2")
    bounds = col("ts").between(left.outer("ts") - lit(5).seconds, left.outer("ts") + lit(5).seconds)
    kept = left.filter(exists(right.filter(col("k") == left.outer("k")).filter(bounds)))
    assert kept.query_operation is read(SAME["bounds"][0])
    found = left.filter(col("k").in_(right.filter(bounds).select(col("k"))))
    assert found.query_operation is read(SAME["value in a query"][0])
    rows_in = left.filter(row(col("k"), col("ts")).in_(right.select(col("k"), col("ts"))))
    assert rows_in.query_operation is read(SAME["row in a query"][0])
    both = left.filter((col("v") > 3) & exists(right.filter((col("k") == left.outer("k")) & bounds & (col("v") < 9))))
    assert both.query_operation is read(SAME["values of both sides"][0])


@pytest.mark.parametrize("name", SAME)
def test_python_code(name: str) -> None:
    table = environment().sql_query(SAME[name][0])
    assert evaluated(table.to_python(), environment()).query_operation is table.query_operation


REFUSED = {
    f"SELECT * FROM {LEFT} LEFT ANTI JOIN {RIGHT} ON l.k = r.k AND {BOUNDS}": "Keep the rows of a LEFT JOIN with",
    f"SELECT * FROM {LEFT} WHERE k NOT IN (SELECT k FROM {RIGHT})": "Keep the rows of a LEFT JOIN with bounds",
    f"SELECT * FROM {LEFT} WHERE v > 1 OR k IN (SELECT k FROM {RIGHT})": "A subquery over a stream has no result",
    f"SELECT k IN (SELECT k FROM {RIGHT}) AS b FROM {LEFT}": "A subquery over a stream has no result",
    # A conversion of IN need not be that of an equality.
    f"SELECT * FROM {LEFT} WHERE name IN (SELECT k FROM {RIGHT})": "A subquery over a stream has no result",
    f"SELECT * FROM {LEFT} WHERE EXISTS (SELECT 1 FROM {RIGHT})": "A subquery over a stream has no result",
    f"SELECT * FROM {LEFT} WHERE EXISTS (SELECT max(v) FROM {RIGHT} WHERE l.k = r.k)": "A subquery over a stream has",
    f"SELECT * FROM {LEFT} LEFT SEMI JOIN {RIGHT} ON l.k = r.k": "no condition bounds the times of one stream",
    f"SELECT * FROM {LEFT} LEFT SEMI JOIN s2 AS r ON l.k = r.k AND {BOUNDS}": "the right stream has no watermark",
    f"SELECT * FROM {LEFT} LEFT SEMI JOIN {RIGHT} ON {BOUNDS}": "needs a column of the one that equals one",
    f"SELECT * FROM {LEFT} LEFT SEMI JOIN {RIGHT} ON l.k = r.k AND r.ts <= l.ts": "keeps all rows of the right",
    f"SELECT * FROM b1 AS l LEFT SEMI JOIN {RIGHT} ON l.k = r.k": "keeps each row of the table on the left once",
    f"SELECT * FROM {LEFT} LEFT SEMI JOIN {RANKED} AS r ON l.k = r.k AND {BOUNDS}": (
        "OVER needs all rows of a partition"
    ),
}
"""Part of the message by the query."""


@pytest.mark.parametrize(("text", "message"), REFUSED.items())
def test_what_spark_cannot_run_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        environment().sql_query(text)


def test_a_hint_allows_a_growing_state() -> None:
    joined = f"FROM {LEFT} LEFT SEMI JOIN {RIGHT} ON l.k = r.k AND r.ts <= l.ts"
    require_some_mode(read(f"SELECT /*+ UNBOUNDED_STATE */ l.* {joined}"))
    inner = "(SELECT r.* FROM s1 AS r JOIN s2 AS q ON r.k = q.k) AS r"
    both = f"SELECT /*+ UNBOUNDED_STATE */ l.* FROM {LEFT} LEFT SEMI JOIN {inner} ON l.k = r.k AND l.ts = r.ts"
    assert [r.reason.in_sql({}) for r in refusals_in(OutputMode.APPEND, read(both))] == []


def test_conditions_of_both_forms_are_split_once() -> None:
    """A filter over tables stays one operation."""

    def filters(operation: QueryOperation) -> int:
        return sum(isinstance(part, Filter) for part in operation.walk())

    condition = "v > 3 AND EXISTS (SELECT 1 FROM {} AS r WHERE r.v < 9 AND r.k = l.k AND r.ts = l.ts)"
    assert filters(read(f"SELECT * FROM b1 AS l WHERE {condition.format('b2')}")) == 1
    assert filters(read(f"SELECT * FROM {LEFT} WHERE {condition.format('b2')}")) == 1
    assert filters(read(f"SELECT * FROM {LEFT} WHERE {condition.format(f's2 {DELAY}')}")) == 2


_ROWS = {
    "orders": [(1, 0), (2, 1), (3, 2), (4, 400)],
    "payments": [(1, 3), (1, 4), (2, 90), (3, 5), (9, 6)],
}


def _write(env: TableEnvironment, directory: Path, *, cut: int) -> None:
    """Write each input as files of ``cut`` rows, then a row an hour later; register it as a stream and as a table."""
    for name, given in _ROWS.items():
        folder = directory / name
        folder.mkdir()
        late = [*given, (100, 3600), (101, 3601)]
        for number, start in enumerate(range(0, len(late), cut)):
            lines = [
                json.dumps({"id": i, "ts": f"2024-05-01T{10 + s // 3600:02}:{s % 3600 // 60:02}:{s % 60:02}Z"})
                for i, s in late[start : start + cut]
            ]
            path = folder / f"{number:03}.json"
            path.write_text("\n".join(lines) + "\n")
            os.utime(path, (number, number))
        schema = "id BIGINT, ts TIMESTAMP"
        stream = env.spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).json(str(folder))
        env.create_temporary_view(name, env.from_spark(stream.withWatermark("ts", "10 seconds")))
        env.create_temporary_view(f"{name}_table", env.from_spark(env.spark.read.schema(schema).json(str(folder))))


FORMS = {
    "semi join": (
        "SELECT o.id FROM {0} AS o LEFT SEMI JOIN {1} AS p ON p.id = o.id "
        "AND p.ts BETWEEN o.ts AND o.ts + INTERVAL 1 MINUTE"
    ),
    "exists": (
        "SELECT id FROM {0} AS o WHERE o.id < 100 AND EXISTS (SELECT 1 FROM {1} AS p WHERE p.id = o.id AND p.id <> 3 "
        "AND p.ts BETWEEN o.ts AND o.ts + INTERVAL 1 MINUTE)"
    ),
    "in": (
        "SELECT id FROM {0} AS o WHERE id IN "
        "(SELECT id FROM {1} AS p WHERE p.ts BETWEEN o.ts AND o.ts + INTERVAL 1 MINUTE)"
    ),
    "anti join as a left join": (
        "SELECT o.id FROM {0} AS o LEFT JOIN (SELECT id, ts FROM {1}) AS p "
        "ON p.id = o.id AND p.ts BETWEEN o.ts AND o.ts + INTERVAL 1 MINUTE WHERE p.id IS NULL"
    ),
}


@pytest.mark.parametrize(
    "cut", [pytest.param(1, marks=pytest.mark.nightly), pytest.param(2, marks=pytest.mark.nightly), 10]
)
def test_rows_equal_those_of_tables(env: TableEnvironment, tmp_path: Path, cut: int) -> None:
    _write(env, tmp_path, cut=cut)
    for number, (name, text) in enumerate(FORMS.items()):
        env.execute_sql(f"CREATE TABLE t{number} (id BIGINT) USING parquet")
        assert env.sql_query(text.format("orders", "payments")).execute_insert(f"t{number}", options=NOW).wait()
        with env.sql_query(text.format("orders_table", "payments_table")).execute().collect() as found:
            expected = sorted(map(tuple, found))
        assert (name, rows(env, f"t{number}")) == (name, expected)
        assert expected
