"""Run queries over small rows that a test gives in place of base tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ir.errors import ValidationException, listing
from ir.identifiers import ObjectIdentifier, fold_path
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource, Source
from tableapi.catalog.catalog import CatalogView
from tableapi.data.elements import table_of_elements
from tableapi.environment.table_environment import TableEnvironment, parts_of
from tableapi.spark.planner.binding import bind
from tableapi.table import Table
from tableapi.tracebacks import boundaries, public_functions

__all__ = ["GivenRows", "with_rows"]


def with_rows(environment: TableEnvironment, tables: Mapping[str, Iterable[Any]]) -> GivenRows:
    """Replace base tables by small rows, so that queries and views over them can run.

    >>> from tableapi import EnvironmentSettings, TableEnvironment
    >>> from tableapi.expressions import col
    >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    >>> te = TableEnvironment.create(settings)
    >>> orders = te.declare("sales.orders", {"id": "BIGINT NOT NULL", "amount": "DECIMAL(10, 2)"})
    >>> given = with_rows(te, {"sales.orders": [(1, 3), {"id": 2}]})
    >>> print(given.query(orders.filter(col("id") > 1)).as_serializable_string(layout="MERGED"))
    SELECT *
    FROM VALUES
        (1L, CAST(3.00 AS DECIMAL(10, 2))),
        (2L, NULL)
    AS `values`(`id`, `amount`)
    WHERE `id` > 1
    >>> with_rows(te, {"sales.orders": [(1, 2), ("two", 3)]})
    Traceback (most recent call last):
    ...
    tableapi.exceptions.ValidationException: In the rows of 'sales.orders': Row 1, column 'id': The str 'two' is not a \
value of BIGINT: accepted are whole numbers from -9223372036854775808 to 9223372036854775807.

    Args:
        environment: the environment that has the tables.
        tables: the rows of each table, by its name. A row is a tuple, or a mapping by column, in which missing columns
            are NULL. Values get the types of the columns.

    Raises:
        TableNotExistException: a table does not exist; the message suggests the nearest name.
        ValidationException: a value does not have the type of its column; the message has the row and the column.
    """
    return GivenRows(environment, tables)


@boundaries
class GivenRows:
    """Rows in place of base tables, over which queries run; made by ``with_rows``."""

    def __init__(self, environment: TableEnvironment, tables: Mapping[str, Iterable[Any]]) -> None:
        self._environment = environment
        self._rows: dict[tuple[str, ...], QueryOperation] = {}
        for name, rows in tables.items():
            source = environment.from_path(name).query_operation
            if not isinstance(source, Source):
                raise ValidationException(
                    f"with_rows replaces tables and views, but {name!r} is {source.title}, not a table of a catalog."
                )
            try:
                made = table_of_elements(rows, source.schema.as_row_type())
            except ValidationException as error:
                raise ValidationException(f"In the rows of {name!r}: {error}") from None
            self._rows[_key(source.identifier)] = made

    def query(self, table: Table) -> Table:
        """Return a query over the rows: views that it reads are replaced by their queries, and tables by rows.

        Args:
            table: a query of the environment.

        Raises:
            ValidationException: the query reads a table that has no rows; the message names it.
        """
        return self._environment.from_operation(bind(table.query_operation, self._find_rows, _keep))

    def from_path(self, path: str) -> Table:
        """Return a view or a table over the rows.

        Args:
            path: the name.

        Raises:
            TableNotExistException: the name does not exist; the message suggests the nearest one.
            ValidationException: the view reads a table that has no rows.
        """
        return self.query(self._environment.from_path(path))

    def sql_query(self, query: str) -> Table:
        """Return a query in SQL over the rows.

        Args:
            query: the text.

        Raises:
            SqlParserException: the text cannot be parsed.
            ValidationException: the query reads a table that has no rows.
        """
        return self.query(self._environment.sql_query(query))

    def _find_rows(self, source: Source) -> QueryOperation:
        rows = self._rows.get(_key(source.identifier))
        if rows is not None:
            return rows
        runtime = parts_of(self._environment).runtime
        found: QueryOperation | None = runtime.temporary(source)
        is_here = not source.identifier.is_temporary and not runtime.is_in_spark(source.identifier)
        if found is None and is_here and isinstance(runtime.manager.find(source.identifier), CatalogView):
            found = runtime.query_behind(source)
        if found is None:
            given = listing([".".join(key) for key in self._rows]) or "no table"
            raise ValidationException(
                f"The query reads the table {source.identifier.as_summary_string()}, which has no rows: with_rows has "
                f"rows of {given}. Give it rows, if only an empty list."
            )
        return found


def _key(identifier: ObjectIdentifier) -> tuple[str, ...]:
    return fold_path(identifier.parts)


def _keep(source: InlineSource) -> QueryOperation:
    return source


public_functions(globals())
