"""The first rows of partitions of a stream: the aggregate in place of ROW_NUMBER picks the same rows in every order."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.streaming.rules import require_some_mode
from tableapi import EnvironmentSettings, TableEnvironment
from tableapi.exceptions import ValidationException
from tableapi.expressions import col, row_number
from tableapi.window import Over

_COLUMNS = "k STRING, id INT, i INT, d DECIMAL(5, 2), day DATE, at TIMESTAMP_LTZ, is_new BOOLEAN, s STRING, x DOUBLE"
_NAMES = "k, id, i, d, day, at, is_new, s, x"
_VALUES = """
    ('a', 1, 3, 1.50, DATE '2024-01-02', TIMESTAMP '2024-01-02 00:00:00', TRUE, 'm', 0.5),
    ('a', 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    ('a', 3, 2147483647, -9.99, DATE '1969-12-31', TIMESTAMP '1969-12-31 23:59:59', FALSE, '', DOUBLE('NaN')),
    ('a', 4, -2147483648, 999.99, DATE '9999-12-31', TIMESTAMP '9999-12-31 00:00:00', FALSE, 'Z', -1.0),
    ('a', 5, 3, 1.49, DATE '2024-01-02', TIMESTAMP '2024-01-02 00:00:00.000001', TRUE, 'm', DOUBLE('Infinity')),
    ('b', 6, NULL, 0.00, DATE '0001-01-01', TIMESTAMP '0001-01-01 00:00:00', NULL, 'é', 0.0),
    (NULL, 7, 0, NULL, DATE '2024-02-29', NULL, TRUE, 'z', NULL),
    (NULL, 8, -1, 0.01, NULL, TIMESTAMP '2024-02-29 12:00:00', FALSE, NULL, -0.0)
"""
_TURNING = ("i", "d", "day", "at", "is_new")
_OTHERS = ("s", "x")
_DIRECTIONS = ("ASC NULLS FIRST", "ASC NULLS LAST", "DESC NULLS FIRST", "DESC NULLS LAST")


def _orders() -> Iterator[str]:
    """Yield orders by one key, and by two keys that may have different directions where one of them turns."""
    for name, direction in itertools.product((*_TURNING, *_OTHERS), _DIRECTIONS):
        yield f"{name} {direction}, id"
    for one, other in itertools.product(_DIRECTIONS, _DIRECTIONS):
        yield f"s {one}, i {other}"
    for first, second in itertools.product(_OTHERS, _TURNING):
        yield f"{first} ASC NULLS LAST, {second} DESC NULLS LAST"


ORDERS = [*_orders()]


def _query(order: str, condition: str, partition: str = "PARTITION BY k ") -> str:
    return (
        f"SELECT k, id, n FROM (SELECT *, ROW_NUMBER() OVER ({partition}ORDER BY {order}) AS n FROM {{t}}) "
        f"WHERE {condition}"
    )


@pytest.fixture(scope="module")
def te() -> TableEnvironment:
    """An environment without Spark in which ``t`` is a stream."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    made = TableEnvironment.create(settings)
    options = "'connector' = 'filesystem', 'path' = '/t', 'format' = 'json', 'streaming' = 'true'"
    made.execute_sql(f"CREATE TEMPORARY TABLE t ({_COLUMNS}) WITH ({options})")
    return made


@pytest.fixture(scope="module")
def rows(spark: SparkSession) -> SparkSession:
    session = spark.newSession()
    session.sql(f"SELECT * FROM VALUES {_VALUES} AS v({_NAMES})").createOrReplaceTempView("rows_of_t")
    return session


def _assert_same_rows(te: TableEnvironment, rows: SparkSession, queries: list[str]) -> None:
    found, wanted = [], []
    for number, query in enumerate(queries):
        text = te.sql_query(query.format(t="t")).as_serializable_string()
        assert "ROW_NUMBER" not in text
        found.append(f"SELECT {number} AS query, * FROM ({text.replace('`t`', 'rows_of_t')})")
        wanted.append(f"SELECT {number} AS query, * FROM ({query.format(t='rows_of_t')})")
    ours, others = (rows.sql(" UNION ALL ".join(texts)).collect() for texts in (found, wanted))
    assert sorted(ours, key=repr) == sorted(others, key=repr)
    assert ours


@pytest.mark.parametrize("condition", ["n = 1", "n <= 2", "3 > n AND id <> 2", "n BETWEEN 2 AND 3", "n = 2"])
def test_the_rows_are_those_of_row_number(te: TableEnvironment, rows: SparkSession, condition: str) -> None:
    orders = [order for order in ORDERS if order.endswith(", id")]
    chosen = orders if condition in ("n = 1", "n <= 2") else orders[:3]
    _assert_same_rows(te, rows, [_query(order, condition) for order in chosen])


def test_two_keys(te: TableEnvironment, rows: SparkSession) -> None:
    # Rows with equal keys may come in any order, so the number is compared alone.
    orders = [order for order in ORDERS if not order.endswith(", id")]
    _assert_same_rows(te, rows, [_query(f"{order}, id {order.split()[1]}", "n <= 2") for order in orders])


def test_without_partitions(te: TableEnvironment, rows: SparkSession) -> None:
    queries = [_query("i, id", condition, "") for condition in ("n = 1", "n <= 3")]
    _assert_same_rows(te, rows, queries)
    # A table without rows has no first row.
    nothing = te.sql_query(queries[0].format(t="t")).as_serializable_string()
    assert rows.sql(nothing.replace("`t`", "(SELECT * FROM rows_of_t WHERE FALSE)")).collect() == []


def test_the_partition_is_an_expression(te: TableEnvironment, rows: SparkSession) -> None:
    query = (
        "SELECT n, UPPER(k) AS u, s FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY UPPER(k), id % 2 ORDER BY id) AS n "
        "FROM {t}) WHERE n <= 2"
    )
    _assert_same_rows(te, rows, [query])


def test_qualify_and_the_fluent_form(te: TableEnvironment) -> None:
    qualified = te.sql_query("SELECT k, id FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY id DESC) <= 2")
    assert "MAX_BY" in qualified.as_serializable_string()
    window = Over.partition_by(col("k")).order_by(col("id").desc).alias("w")
    numbered = te.from_path("t").over_window(window).select(col("k"), col("id"), row_number().over(col("w")).alias("n"))
    fluent = numbered.filter(col("n") <= 2).select(col("k"), col("id"))
    text = te.sql_query(
        "SELECT k, id FROM (SELECT k, id, ROW_NUMBER() OVER (PARTITION BY k ORDER BY id DESC) AS n FROM t) WHERE n <= 2"
    )
    assert fluent.query_operation is text.query_operation


def test_keys_of_the_partition_do_not_sort(te: TableEnvironment, rows: SparkSession) -> None:
    _assert_same_rows(te, rows, [_query("k, x DESC, id DESC", "n <= 2"), _query("k", "n = 1", "PARTITION BY k, id ")])


def test_the_rest_of_the_condition_stays(te: TableEnvironment) -> None:
    kept = te.sql_query(_query("id", "n <= 3 AND n > 1 AND id > 5").format(t="t")).query_operation
    (condition,) = [part.condition for part in kept.walk() if isinstance(part, Filter)]
    assert condition.as_summary_string() == "and(greaterThan(n, 1), greaterThan(id, 5))"
    first = te.sql_query(_query("id", "n <= 3").format(t="t")).query_operation
    assert not any(isinstance(part, Filter) for part in first.walk())


@pytest.mark.parametrize(
    "query",
    [
        _query("s, x DESC", "n = 1"),
        _query("id", "n > 1"),
        _query("id", "n = id"),
        _query("id", "n <= 100001"),
        _query("id", "n <= 0"),
        _query("id", "n <= 1 OR id = 1"),
        "SELECT *, ROW_NUMBER() OVER (ORDER BY id) AS n FROM {t}",
        "SELECT * FROM (SELECT *, RANK() OVER (PARTITION BY k ORDER BY id) AS n FROM {t}) WHERE n = 1",
        "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY id) AS n, SUM(i) OVER (ORDER BY id) AS m FROM {t}) "
        "WHERE n = 1",
    ],
)
def test_other_numbers_are_refused(te: TableEnvironment, query: str) -> None:
    with pytest.raises(ValidationException, match="OVER needs all rows of a partition"):
        te.sql_query(query.format(t="t"))


def test_a_step_with_a_number_alone_waits_for_its_filter(te: TableEnvironment) -> None:
    window = Over.partition_by(col("k")).order_by(col("id")).alias("w")
    numbered = te.from_path("t").over_window(window).select(col("id"), row_number().over(col("w")).alias("n"))
    assert any(isinstance(part, Aggregate) for part in numbered.filter(col("n") == 1).query_operation.walk())
    with pytest.raises(ValidationException, match=r"Keep the first rows .* filter\(col\('n'\) <= 3\)"):
        require_some_mode(numbered.query_operation)


def test_tables_keep_row_number() -> None:
    made = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    made.declare("t", {"k": "STRING", "id": "INT"})
    text = made.sql_query(_query("id", "n = 1").format(t="t")).as_serializable_string()
    assert "ROW_NUMBER" in text
