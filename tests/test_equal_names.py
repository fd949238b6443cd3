"""SQL queries with duplicate column names: names are kept as in Spark, and rejected where a unique name is needed."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from tableapi import EnvironmentSettings, Row, Table, TableEnvironment, ValidationException, diff
from tableapi.expressions import col, exists, lit, range_, scalar, with_columns

_JOIN = "SELECT * FROM a JOIN b ON a.id = b.id"
_NAMES = ["id", "amount", "s", "id", "cc", "amount"]


@pytest.fixture(scope="module")
def te() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("main")
    te = TableEnvironment.create(settings.with_built_in_database_name("sales").build())
    te.declare("a", {"id": "BIGINT NOT NULL", "amount": "DECIMAL(10, 2)", "s": "STRING"})
    te.declare("b", {"id": "BIGINT NOT NULL", "cc": "STRING", "amount": "INT"})
    return te


@pytest.fixture(scope="module")
def joined(te: TableEnvironment) -> Table:
    return te.sql_query(_JOIN)


def _names(table: Table) -> list[str]:
    return table.get_schema().get_field_names()


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("SELECT 1 AS Id, 2 AS id", ["Id", "id"]),
        (_JOIN, _NAMES),
        ("SELECT 1 AS a0, 2 AS a, 3 AS a", ["a0", "a", "a"]),
        ("SELECT s, count(*) AS s FROM a GROUP BY s", ["s", "s"]),
        ("SELECT * FROM (VALUES (1, 2)) AS t(a, A)", ["a", "A"]),
    ],
)
def test_equal_names_are_kept(te: TableEnvironment, query: str, names: list[str]) -> None:
    table = te.sql_query(query)
    assert _names(table) == names
    for layout in ("NESTED", "MERGED"):
        assert te.sql_query(table.as_serializable_string(layout=layout)).query_operation is table.query_operation


@pytest.mark.parametrize(
    ("step", "names"),
    [
        (lambda t: t.filter(col("cc") == "x"), _NAMES),
        (lambda t: t.order_by(col("cc")).limit(3, 1), _NAMES),
        (lambda t: t.distinct(), _NAMES),
        (lambda t: t.union_all(t), _NAMES),
        (lambda t: t.minus(t.filter(col("s") == "x")), _NAMES),
        (lambda t: t.hint("coalesce", 1), _NAMES),
        (lambda t: t.sample(0.5, seed=1), _NAMES),
        (lambda t: t.select(col("*")), _NAMES),
        (lambda t: t.add_columns(lit(1).alias("n")), [*_NAMES, "n"]),
        (lambda t: t.drop_columns(col("s")), ["id", "amount", "id", "cc", "amount"]),
        (lambda t: t.rename_columns(col("cc").alias("country")), ["id", "amount", "s", "id", "country", "amount"]),
        (lambda t: t.select(with_columns(range_(3, 4))), ["s", "id"]),
        (lambda t: t.select(col("s"), col("cc")), ["s", "cc"]),
        (lambda t: t.alias("a", "b", "c", "d", "e", "f"), ["a", "b", "c", "d", "e", "f"]),
        (lambda t: t.group_by(col("cc")).select(col("cc"), col("s").count.alias("n")), ["cc", "n"]),
    ],
)
def test_a_query_with_equal_names_goes_on(
    te: TableEnvironment, joined: Table, step: Callable[[Table], Table], names: list[str]
) -> None:
    table = step(joined)
    assert _names(table) == names
    for layout in ("NESTED", "MERGED"):
        read = te.sql_query(table.as_serializable_string(layout=layout))
        assert _names(read) == names
        assert read.query_operation.normalize() is table.query_operation.normalize()


def test_a_query_with_equal_names_is_a_subquery(te: TableEnvironment, joined: Table) -> None:
    filtered = te.from_path("a").filter(exists(joined.filter(col("cc") == "x")))
    assert _names(filtered) == ["id", "amount", "s"]
    assert "`id0`" in filtered.as_serializable_string()


_TWICE = r"columns 1 and 4 are called id, columns 2 and 6 are called amount\. Name the columns with AS in the SQL, or "
_AMBIGUOUS = (
    r"Ambiguous column name: id\. Columns 1 and 4 of 6 have it\. Name the columns with AS in the SQL, or all of "
)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda t, te: t.filter(col("id") > 1), _AMBIGUOUS),
        (lambda t, te: t.select(col("ID")), r"Ambiguous column name: ID\. Columns 1 and 4 of 6"),
        (lambda t, te: t.order_by(col("id")), _AMBIGUOUS),
        (lambda t, te: t.drop_columns(col("id")), _AMBIGUOUS),
        (lambda t, te: t.group_by(col("id")).select(col("id")), _AMBIGUOUS),
        (lambda t, te: t.id, _AMBIGUOUS),
        (lambda t, te: t["id"], _AMBIGUOUS),
        (lambda t, te: t.outer("id"), _AMBIGUOUS),
        # The internal column names of the tree are not visible.
        (lambda t, te: t.filter(col("id0") > 1), r"Cannot resolve field \[id0\]"),
        (lambda t, te: t.filter(col("b_id") > 1), r"Cannot resolve field \[b_id\]"),
        (lambda t, te: t.select(col("s").alias("x"), col("cc").alias("x")), r"Ambiguous column name: x\."),
        (lambda t, te: t.select(col("*"), lit(1).alias("id")), r"Ambiguous column name: amount, id\."),
        (lambda t, te: t.join(te.from_path("a").alias("x", "y", "z")), r"Ambiguous column name: amount, id\."),
        (lambda t, te: te.from_path("a").filter(col("id") == scalar(t)), r"one column"),
        (lambda t, te: te.create_view("v", t), r"The view main\.sales\.v needs .*" + _TWICE),
        (lambda t, te: te.create_temporary_view("v", t), r"The temporary view v needs .*" + _TWICE),
        (lambda t, te: te.create_table_as("t", t), r"The table main\.sales\.t needs .*" + _TWICE),
        (lambda t, te: t.cache(), r"A table that is cached needs .*" + _TWICE),
    ],
)
def test_ambiguous_names_are_rejected(
    te: TableEnvironment, joined: Table, use: Callable[[Table, TableEnvironment], Any], message: str
) -> None:
    with pytest.raises(ValidationException, match=message):
        use(joined, te)
    assert te.list_tables() == ["a", "b"]
    assert te.list_temporary_views() == []


def test_the_message_writes_the_names_that_are_free(joined: Table) -> None:
    with pytest.raises(ValidationException, match=r"with alias\('id', 'amount', 's', 'id0', 'cc', 'amount0'\)"):
        joined.filter(col("id") > 1)
    named = joined.alias("id", "amount", "s", "id0", "cc", "amount0")
    assert _names(named.filter(col("id0") > 1)) == ["id", "amount", "s", "id0", "cc", "amount0"]


def test_three_columns_of_a_name_are_all_named(te: TableEnvironment) -> None:
    with pytest.raises(ValidationException, match=r"columns 1, 2 and 4 are called a and A"):
        te.create_temporary_view("v", te.sql_query("SELECT 1 AS a, 2 AS A, 3 AS b, 4 AS a"))


def test_a_view_may_name_the_columns(te: TableEnvironment) -> None:
    te.execute_sql("CREATE TEMPORARY VIEW named (x, y) AS SELECT 1 AS a, 2 AS a")
    assert _names(te.from_path("named")) == ["x", "y"]
    te.drop_temporary_view("named")


def test_an_order_by_a_repeated_name_keeps_its_meaning(te: TableEnvironment) -> None:
    """Spark rejects an ORDER BY with a name that several columns of the SELECT have."""
    sorted_rows = "SELECT `s` AS `x`, `amount` AS `x0`\n    FROM `main`.`sales`.`a`\n    ORDER BY `{}`\n)"
    # Where the rows are sorted, only one column is called x. The name in FROM is kept.
    for key, written in (("1", "x"), ("s", "s")):
        text = te.sql_query(f"SELECT s AS x, amount AS x FROM a ORDER BY {key}").as_serializable_string(layout="MERGED")
        assert sorted_rows.format(written) in text
        assert te.sql_query(text).as_serializable_string(layout="MERGED") == text


def test_equal_names_differ_from_others(te: TableEnvironment) -> None:
    old, new = te.sql_query("SELECT 1 AS id, 2 AS id"), te.sql_query("SELECT 1 AS id, 2 AS other")
    assert not diff(old, te.sql_query("SELECT 1 AS id, 2 AS id"))
    assert "the column `id (2)` was renamed to `other`" in str(diff(old, new))


def test_a_query_with_equal_names_travels(te: TableEnvironment, joined: Table) -> None:
    assert te.from_operation(pickle.loads(pickle.dumps(joined))).query_operation is joined.query_operation
    scope: dict[str, Any] = {"env": te}
    exec(joined.to_python(), scope)
    assert scope["result"].query_operation is joined.query_operation


def test_a_row_with_equal_names_is_read_by_position() -> None:
    row = Row.of(["id", "s", "id"], [1, "x", 2])
    assert (row[0], row[2], row.s, list(row)) == (1, 2, "x", [1, "x", 2])
    for read in (lambda: row["id"], lambda: row.id, lambda: row.as_dict()):
        with pytest.raises(ValueError, match="The row has 2 fields 'id'; read them by position"):
            read()
