"""Versions, changes and metadata of tables are typed without Spark, and read back from their text."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from grammar.statement_names import statement_names
from grammar.statement_words import words
from ir.operations.source import Source
from ir.rendering import Layout
from tableapi import Dialect, EnvironmentSettings, Table, TableEnvironment, diff
from tableapi.exceptions import TableException, TableNotExistException, ValidationException
from tableapi.expressions import col
from tests.cases import every
from tests.formats.reads import environment, queries


def _orders() -> Table:
    return environment().from_path("sales.orders")


@every("text", queries, str)
def test_text_reads_back(text: str) -> None:
    te = environment()
    table = te.sql_query(text)
    nested = te.sql_query(table.as_serializable_string())
    assert nested.query_operation is table.query_operation
    merged = te.sql_query(table.as_serializable_string(layout=Layout.MERGED))
    assert merged.query_operation.normalize() is table.query_operation.normalize()


@every("text", queries, str)
def test_python_code_builds_the_same_query(text: str) -> None:
    table = environment().sql_query(text)
    names: dict[str, Any] = {"env": environment()}
    exec(table.to_python(), names)
    assert names["result"].query_operation is table.query_operation


def test_no_spark_was_started() -> None:
    for text in queries():
        environment().sql_query(text)
    assert environment()._parts.runtime.started is None


def test_changes_have_the_columns_of_the_table_and_three_more() -> None:
    schema = _orders().changes(1, 5).get_resolved_schema()
    assert schema.names == ("id", "ts", "city", "_change_type", "_commit_version", "_commit_timestamp")
    assert [c.data_type.as_summary_string() for c in schema.columns[3:]] == [
        "STRING NOT NULL",
        "BIGINT NOT NULL",
        "TIMESTAMP_LTZ NOT NULL",
    ]


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (lambda t: t.changes(1, 5), "CHANGES FROM VERSION 1 TO VERSION 5"),
        (lambda t: t.changes(1, 5, inclusive="left"), "CHANGES FROM VERSION 1 TO VERSION 5 EXCLUSIVE"),
        (lambda t: t.changes("a", inclusive="neither"), "CHANGES FROM VERSION 'a' EXCLUSIVE"),
        (
            lambda t: t.changes(dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc)),
            "CHANGES FROM TIMESTAMP TIMESTAMP '2024-01-01'",
        ),
        (
            lambda t: t.changes(1, options={"deduplicationMode": "none"}),
            "CHANGES FROM VERSION 1 WITH (deduplicationMode = 'none')",
        ),
    ],
)
def test_fluent_changes_are_those_of_sql(table: Any, text: str) -> None:
    written = environment().sql_query(f"SELECT * FROM sales.orders {text}")
    assert table(_orders()).query_operation is written.query_operation


def test_table_changes_is_the_fluent_form_by_function() -> None:
    written = environment().sql_query("SELECT * FROM table_changes('sales.orders', 1, 5)")
    assert _orders().changes(1, 5, by_function=True).query_operation is written.query_operation


def test_nested_names_have_all_their_parts() -> None:
    source = environment().from_path("spark_catalog.sales.orders.snapshots").query_operation
    assert isinstance(source, Source)
    assert source.identifier.parts == ("spark_catalog", "sales", "orders", "snapshots")
    assert source.identifier.as_serializable_string() == "`spark_catalog`.`sales`.`orders`.`snapshots`"


def test_a_filter_on_a_partition_source_keeps_its_column() -> None:
    """A table partitioned by days(ts) is pruned by filters on ``ts`` alone, so that no filter may become another."""
    moment = dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc)
    table = _orders().filter((col("ts") >= moment) & (col("city") == "Oslo")).select(col("id"))
    text = table.as_serializable_string(layout=Layout.MERGED)
    assert "WHERE `ts` >= TIMESTAMP_LTZ '2024-01-01 00:00:00Z'" in text


def test_changes_in_a_sample_are_in_parentheses() -> None:
    text = _orders().changes(1).sample(0.1).as_serializable_string(layout=Layout.MERGED)
    assert ")\nTABLESAMPLE" in text


def test_differences_name_the_range() -> None:
    assert "from 1 to 5" in str(diff(_orders().changes(1, 5), _orders().changes(1, 6)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sales.orders CHANGES FROM VERSION 5 TO VERSION 1", "ends before it begins: from 5 to 1"),
        ("sales.orders CHANGES FROM VERSION 1 TO TIMESTAMP '2024-01-01'", "two versions or two times"),
        ("sales.orders CHANGES FROM VERSION 1 WITH (deduplicationMode = 'netChange')", "mean 'netChanges'"),
        ("sales.orders CHANGES FROM TIMESTAMP current_timestamp()", "takes a constant time"),
        ("table_changes('sales.orders')", "takes the name of a table"),
        ("table_changes('sales.orders', 5, 1)", "ends before it begins"),
        ("spark_catalog.sales.orders.snapshot", "mean 'snapshots'"),
        ("spark_catalog.sales.orders.partitions", "need the session"),
        ("sales.orders CHANGES FROM VERSION 1 WHERE cty = 'x'", "Did you mean 'city'"),
    ],
)
def test_mistakes_have_a_position(text: str, message: str) -> None:
    with pytest.raises(TableException, match=message) as caught:
        environment().sql_query(f"SELECT * FROM {text}")
    assert "line 1, column " in str(caught.value)
    assert "^" in str(caught.value)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (lambda t: t.changes(True), "start takes a version or a datetime"),
        (lambda t: t.changes(1, 2.5), "end takes a version or a datetime"),
        (lambda t: t.changes(1, inclusive="lef"), "mean 'left'"),
        (lambda t: t.changes(5, 1), "ends before it begins"),
        (lambda t: t.changes(1, dt.datetime(2024, 1, 1)), "two versions or two times"),
        (lambda t: t.changes("first", by_function=True), "the number of a version"),
        (lambda t: t.filter(col("id") > 1).changes(1), "Call it on the table"),
        (lambda t: t.changes(1).changes(2), "Call it on the table"),
    ],
)
def test_mistakes_of_changes(table: Any, message: str) -> None:
    with pytest.raises(TableException, match=message):
        table(_orders())


def test_flink_has_no_changes() -> None:
    with pytest.raises(TableException, match="reads a change feed as a stream"):
        _orders().changes(1).as_serializable_string(Dialect.FLINK)


def test_older_versions_of_spark_have_no_changes() -> None:
    assert "CHANGES FROM" in _orders().changes(1).as_serializable_string(target="spark-4.2")
    with pytest.raises(TableException, match=r"needs Spark 4\.2"):
        _orders().changes(1).as_serializable_string(target="spark-4.1")
    assert "table_changes(" in _orders().changes(1, by_function=True).as_serializable_string(target="spark-3.5")


def test_catalogs_in_memory_have_neither() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    te = TableEnvironment.create(settings)
    te.declare("t", {"id": "INT"})
    with pytest.raises(TableException, match="records no changes"):
        te.from_path("t").changes(1)
    with pytest.raises(ValidationException, match="keeps tables in databases alone"):
        te.from_path("memory.default.t.snapshots")


def test_metadata_of_a_table_that_nobody_declared() -> None:
    te = TableEnvironment.create()
    te.declare("sales.orders", {"id": "INT"})
    with pytest.raises(TableNotExistException, match="no metadata table 'histry'"):
        te.from_path("spark_catalog.sales.orders.histry")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("DESCRIBE HISTORY a.b.t LIMIT 5", ("a", "b", "t")),
        ("DESC DETAIL delta.`/data/t`", ("delta", "/data/t")),
        ("DESCRIBE history", ("history",)),
        ("DESCRIBE detail", ("detail",)),
    ],
)
def test_statements_about_the_history_of_a_table_name_the_table(text: str, parts: tuple[str, ...]) -> None:
    assert statement_names(words(text)).objects[0].parts == parts
