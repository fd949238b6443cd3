"""Assertions about the columns, the tree and the rows of a query."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from ir.errors import ValidationException
from ir.schema import Column
from tableapi.declarations.declared_columns import PhysicalColumn
from tableapi.environment.table_environment import TableEnvironment
from tableapi.query_diff.diff import diff
from tableapi.schema import Schema
from tableapi.table import Table, query_of
from tableapi.testing.row_comparison import complete_row, describe_difference
from tableapi.testing.spark_access import require_spark_for

__all__ = ["assert_rows", "assert_same_query", "assert_schema"]


def assert_schema(table: Table, columns: Any) -> None:
    """Check the names, the types and the order of the columns of a query. Nothing is run.

    >>> from tableapi import EnvironmentSettings, TableEnvironment
    >>> from tableapi.expressions import col
    >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    >>> te = TableEnvironment.create(settings)
    >>> orders = te.declare("orders", {"id": "BIGINT NOT NULL", "amount": "DECIMAL(10, 2)"})
    >>> assert_schema(orders.select(col("id")), {"id": "BIGINT NOT NULL"})
    >>> assert_schema(orders, {"id": "BIGINT NOT NULL", "amount": "DOUBLE"})
    Traceback (most recent call last):
    ...
    AssertionError: The query has other columns than expected:
      column 2: `amount` DOUBLE was expected, but it is `amount` DECIMAL(10, 2)

    Args:
        table: the query.
        columns: names with types, or another form that ``TableEnvironment.declare`` takes. A type without NOT NULL is
            nullable.

    Raises:
        AssertionError: the columns differ; the message has each difference.
        SqlParserException: a type cannot be parsed; the message names the column.
        ValidationException: ``table`` is not a table, or the columns are invalid.
    """
    __tracebackhide__ = True
    expected = _expected_columns(columns)
    found = list(_require_table(table, "assert_schema").get_resolved_schema().columns)
    differences = [
        f"  column {number}: {_describe_columns(wanted, given)}"
        for number, (wanted, given) in enumerate(zip_longest(expected, found), 1)
        if wanted is None or given is None or _key(wanted) != _key(given)
    ]
    if differences:
        raise AssertionError("\n".join(["The query has other columns than expected:", *differences]))


def assert_same_query(
    actual: Table | str, expected: Table | str, *, environment: TableEnvironment | None = None, exact: bool = False
) -> None:
    """Check that two queries are the same, as ``tableapi.diff`` compares them. Nothing is run.

    >>> from tableapi import EnvironmentSettings, TableEnvironment
    >>> from tableapi.expressions import col
    >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    >>> te = TableEnvironment.create(settings)
    >>> orders = te.declare("orders", {"id": "BIGINT", "amount": "DECIMAL(10, 2)"})
    >>> assert_same_query(orders.filter(col("id") > 1).select(col("id")), "SELECT id FROM orders WHERE id > 1")
    >>> assert_same_query(orders.filter(col("id") > 1), "SELECT * FROM orders WHERE id > 2")
    Traceback (most recent call last):
    ...
    AssertionError: The query is not the expected one. From the expected query to this one:
      In the condition of the filter, `id` > 2 became `id` > 1.
      The columns of the result are the same.
    Where:
      ~ Filter: in the condition, `id` > 2 became `id` > 1
            CatalogTable: (identifier: [memory.default_database.orders], fields: [id, amount])

    Args:
        actual: a table, or the text of a query.
        expected: a table, or the text of a query.
        environment: the environment in which texts are read; by default that of the other table.
        exact: whether differences without effect on rows and readers count.

    Raises:
        AssertionError: the queries differ; the message has each change, and its place in the tree.
        SqlParserException: a text cannot be parsed.
        ValidationException: both arguments are texts, and no environment is given.
    """
    __tracebackhide__ = True
    tables = [given for given in (actual, expected) if isinstance(given, Table)]
    reader = environment if environment is not None else query_of(tables[0]).environment.fluent if tables else None
    if reader is None:
        raise ValidationException(
            "assert_same_query was given two texts. Pass the environment that reads them: "
            "assert_same_query(…, environment=te)."
        )
    new, old = [given if isinstance(given, Table) else reader.sql_query(given) for given in (actual, expected)]
    found = diff(old, new, exact=exact)
    if found:
        said = [f"  {line}" for line in found.as_text().splitlines()]
        where = [f"  {line}" for line in found.as_tree().splitlines()]
        head = "The query is not the expected one. From the expected query to this one:"
        raise AssertionError("\n".join([head, *said, "Where:", *where]))


def assert_rows(table: Table, rows: Iterable[Any], *, ordered: bool = False) -> None:
    """Run a query, and check its rows; skip the test if there is no Spark.

    Equal values are those that are equal in Python; NaN equals NaN, and an expected value may be ``pytest.approx(…)``.

    Args:
        table: the query.
        rows: the expected rows: tuples, rows, or mappings of all columns by name.
        ordered: whether the order of the rows counts.

    Raises:
        AssertionError: the rows differ; the message has the missing and the unexpected rows.
        ValidationException: an expected row has other columns than the query.
    """
    __tracebackhide__ = True
    schema = _require_table(table, "assert_rows").get_resolved_schema()
    expected = [complete_row(row, schema.names, number) for number, row in enumerate(rows)]
    require_spark_for(table, "assert_rows")
    found = [tuple(row) for row in table.execute().collect()]
    difference = describe_difference(found, expected, schema.names, ordered=ordered)
    if difference is not None:
        raise AssertionError(difference)


def _require_table(given: object, caller: str) -> Table:
    if isinstance(given, Table):
        return given
    raise ValidationException(f"{caller} takes a table, but was given {given!r}.")


def _expected_columns(given: Any) -> list[Column]:
    found = []
    for column in Schema.of(given).columns:
        if not isinstance(column, PhysicalColumn):
            raise ValidationException(f"The columns of a query have types, but {column.name!r} has an expression.")
        found.append(Column(column.name, column.data_type))
    return found


def _key(column: Column) -> tuple[str, str]:
    return column.name, column.data_type.as_summary_string()


def _describe_columns(expected: Column | None, found: Column | None) -> str:
    if found is None:
        return f"{expected!r} was expected, but there is none"
    if expected is None:
        return f"{found!r} was not expected"
    return f"{expected!r} was expected, but it is {found!r}"
