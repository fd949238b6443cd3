"""Tables: queries that are built step by step, each step checked as it is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import Expression as Unresolved
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation
from ir.operations.set_operation import SetOperationType
from ir.rendering import Dialect, Layout
from ir.resolution import operations as resolve
from ir.schema import ResolvedSchema
from tableapi.expression import Expression, unwrap
from tableapi.expressions import col
from tableapi.result import TableResult
from tableapi.table_schema import TableSchema

if TYPE_CHECKING:
    import pandas
    import pyarrow
    from pyspark.sql import DataFrame

    from tableapi.environment import TableEnvironment

__all__ = ["GroupedTable", "Table"]


def _expressions(given: Sequence[Any], method: str) -> list[Unresolved]:
    """Return what stands behind the arguments of a method; a string is refused, since it could be a name or a value."""
    for argument in given:
        if isinstance(argument, str):
            raise ValidationException(
                f"{method} takes expressions, but was given the text {argument!r}. Write col({argument!r}) for the "
                f"column or lit({argument!r}) for the value."
            )
    return [unwrap(argument) for argument in given]


def _names(given: Sequence[Any], method: str) -> list[str]:
    for name in given:
        if not isinstance(name, str) or not name:
            raise ValidationException(f"{method} takes names, but was given {name!r}.")
    return list(given)


def _count(value: Any, method: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValidationException(f"{method} takes a whole number, but was given {value!r}.")
    return value


class Table:
    """A query: immutable, typed, and run only when its rows are asked for.

    Every method that gives a table checks its arguments at once and leaves this table as it is. A column may be
    written as an attribute, ``table.name`` for ``col("name")``, where no method has its name.
    """

    def __init__(self, operation: QueryOperation, environment: TableEnvironment) -> None:
        self._operation = operation
        self._environment = environment

    # --- projection --------------------------------------------------------------------------------------------------

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns from the columns of each row, or, where one holds an aggregate, one row from all rows.

        Args:
            fields: expressions; one without a name of its own is called ``_c`` and its position, or ``EXPR$`` and a
                number where it is an aggregate. ``col("*")`` stands for all columns.

        Raises:
            ValidationException: a column does not exist, a call is not accepted, or two names are the same.
        """
        return self._next(resolve.select(self._operation, _expressions(fields, "select"), self._lookup))

    def alias(self, field: str, *fields: str) -> Table:
        """Rename the first columns, in order; further columns keep their names."""
        return self._next(resolve.rename_all(self._operation, _names((field, *fields), "alias")))

    def add_columns(self, *fields: Expression[Any]) -> Table:
        """Add columns after the existing ones, whose names must be new."""
        expressions = _expressions(fields, "add_columns")
        return self._next(resolve.add_columns(self._operation, expressions, self._lookup, replace=False))

    def add_or_replace_columns(self, *fields: Expression[Any]) -> Table:
        """Add columns; one whose name exists takes the place of the existing column."""
        expressions = _expressions(fields, "add_or_replace_columns")
        return self._next(resolve.add_columns(self._operation, expressions, self._lookup, replace=True))

    def rename_columns(self, *fields: Expression[Any]) -> Table:
        """Rename columns, each given as ``col("old").alias("new")``."""
        return self._next(resolve.rename_columns(self._operation, _expressions(fields, "rename_columns")))

    def drop_columns(self, *fields: Expression[Any]) -> Table:
        """Leave columns out."""
        return self._next(resolve.drop_columns(self._operation, _expressions(fields, "drop_columns")))

    # --- rows --------------------------------------------------------------------------------------------------------

    def filter(self, predicate: Expression[bool]) -> Table:
        """Keep the rows for which the predicate is TRUE.

        Raises:
            ValidationException: it is not a condition, or holds an aggregate.
        """
        (expression,) = _expressions((predicate,), "filter")
        return self._next(resolve.filter_rows(self._operation, expression, self._lookup))

    def where(self, predicate: Expression[bool]) -> Table:
        """Keep the rows for which the predicate is TRUE; the same as ``filter``."""
        return self.filter(predicate)

    def distinct(self) -> Table:
        """Keep each different row once."""
        return self._next(resolve.distinct_rows(self._operation))

    def group_by(self, *fields: Expression[Any]) -> GroupedTable:
        """Group rows by the values of expressions; the groups are then aggregated by ``select``."""
        expressions = _expressions(fields, "group_by")
        resolve.resolve_group_keys(self._operation, expressions, self._lookup)
        return GroupedTable(self, expressions)

    def order_by(self, *fields: Expression[Any]) -> Table:
        """Put the rows in order; NULL counts as the least value."""
        return self._next(resolve.order_rows(self._operation, _expressions(fields, "order_by"), self._lookup))

    def offset(self, offset: int) -> Table:
        """Leave out the first rows, in the order that ``order_by`` made."""
        return self._next(resolve.skip_rows(self._operation, _count(offset, "offset")))

    def fetch(self, fetch: int) -> Table:
        """Keep the first rows, in the order that ``order_by`` made."""
        return self._next(resolve.take_rows(self._operation, _count(fetch, "fetch")))

    def limit(self, fetch: int, offset: int = 0) -> Table:
        """Keep the first ``fetch`` rows after the first ``offset``."""
        return self.offset(offset).fetch(fetch) if offset else self.fetch(fetch)

    # --- two tables --------------------------------------------------------------------------------------------------

    def join(self, right: Table, join_predicate: Expression[bool] | None = None) -> Table:
        """Pair the rows of two tables for which the predicate is TRUE; without one, every row with every other.

        Raises:
            ValidationException: the tables share a column name; the message says how to rename.
        """
        return self._join(right, JoinType.INNER, join_predicate)

    def left_outer_join(self, right: Table, join_predicate: Expression[bool] | None = None) -> Table:
        """Like ``join``, keeping rows of the left table without a partner, with NULL in the right columns."""
        return self._join(right, JoinType.LEFT_OUTER, join_predicate)

    def right_outer_join(self, right: Table, join_predicate: Expression[bool]) -> Table:
        """Like ``join``, keeping rows of the right table without a partner, with NULL in the left columns."""
        return self._join(right, JoinType.RIGHT_OUTER, join_predicate)

    def full_outer_join(self, right: Table, join_predicate: Expression[bool]) -> Table:
        """Like ``join``, keeping rows of both tables without a partner, with NULL in the other's columns."""
        return self._join(right, JoinType.FULL_OUTER, join_predicate)

    def _join(self, right: Table, kind: JoinType, predicate: Expression[bool] | None) -> Table:
        other = self._other(right, "join")
        condition = None if predicate is None else _expressions((predicate,), "join")[0]
        return self._next(resolve.join_tables(self._operation, other, kind, condition, self._lookup))

    def union(self, right: Table) -> Table:
        """Keep the rows of both tables, each different one once; columns are matched by position."""
        return self._combine(right, SetOperationType.UNION, False)

    def union_all(self, right: Table) -> Table:
        """Keep all rows of both tables; columns are matched by position."""
        return self._combine(right, SetOperationType.UNION, True)

    def intersect(self, right: Table) -> Table:
        """Keep the rows that are in both tables, each different one once."""
        return self._combine(right, SetOperationType.INTERSECT, False)

    def intersect_all(self, right: Table) -> Table:
        """Keep the rows that are in both tables, as often as in the one where they are rarer."""
        return self._combine(right, SetOperationType.INTERSECT, True)

    def minus(self, right: Table) -> Table:
        """Keep the rows that are not in the right table, each different one once."""
        return self._combine(right, SetOperationType.MINUS, False)

    def minus_all(self, right: Table) -> Table:
        """Keep rows as often as they are in this table more than in the right one."""
        return self._combine(right, SetOperationType.MINUS, True)

    def _combine(self, right: Table, kind: SetOperationType, keep_duplicates: bool) -> Table:
        other = self._other(right, kind.value.lower())
        return self._next(resolve.set_operation(self._operation, other, kind, keep_duplicates))

    def _other(self, right: Any, method: str) -> QueryOperation:
        if not isinstance(right, Table):
            raise ValidationException(f"{method} takes a table, but was given {right!r}.")
        if right._environment is not self._environment:
            raise ValidationException(f"{method} takes a table of the same environment, but was given one of another.")
        return right._operation

    # --- what it is --------------------------------------------------------------------------------------------------

    @property
    def query_operation(self) -> QueryOperation:
        """The tree of operations."""
        return self._operation

    def get_schema(self) -> TableSchema:
        """Return the columns."""
        return TableSchema(self._operation.schema)

    def get_resolved_schema(self) -> ResolvedSchema:
        """Return the columns."""
        return self._operation.schema

    def print_schema(self) -> None:
        """Print the columns, a line each."""
        columns = self._operation.schema.columns
        print("(\n" + ",\n".join(f"  {column!r}" for column in columns) + "\n)")

    def as_serializable_string(
        self, dialect: Dialect | str = Dialect.SPARK, layout: Layout | str = Layout.NESTED
    ) -> str:
        """Return the query as SQL.

        Args:
            dialect: ``Dialect.SPARK``, which Spark runs, or ``Dialect.FLINK``; or the name of one.
            layout: ``Layout.NESTED``, one SELECT for each operation.

        Raises:
            ValidationException: there is no such dialect or layout.
            TableException: something has no SQL form, or none that means the same in the dialect.
        """
        return self._operation.as_serializable_string(dialect, layout)

    def as_summary_string(self) -> str:
        """Return the tree of operations, a line each, inputs indented."""
        return self._operation.as_summary_string()

    def explain(self, *extra_details: Any) -> str:
        """Return the tree, the SQL and, where the session runs already, Spark's plan."""
        sections = [("Operation tree", self.as_summary_string()), ("SQL", self._environment._explained_sql(self))]
        plan = self._environment._explained_plan(self)
        if plan is not None:
            sections.append(("Spark's plan", plan))
        return "\n\n".join(f"== {title} ==\n{text}" for title, text in sections)

    def print_explain(self, *extra_details: Any) -> None:
        """Print what ``explain`` returns."""
        print(self.explain(*extra_details))

    # --- running it --------------------------------------------------------------------------------------------------

    def execute(self) -> TableResult:
        """Run the query and return its rows.

        Raises:
            TableException: it failed; the message names the operation, Spark's condition and SQLSTATE.
        """
        return TableResult(self._operation.schema, self._environment._fetch(self))

    def to_arrow(self) -> pyarrow.Table:
        """Run the query and return its rows as an Arrow table."""
        return self._environment._fetch(self)

    def to_pandas(self) -> pandas.DataFrame:
        """Run the query and return its rows as a pandas DataFrame."""
        return self._environment._fetch(self).to_pandas()  # type: ignore[no-any-return]  # pyarrow has no types

    def to_spark(self) -> DataFrame:
        """Return the query as a DataFrame of the environment's session."""
        return self._environment._dataframe(self)

    def execute_insert(self, table_path_or_descriptor: str, overwrite: bool = False) -> TableResult:
        """Append the rows to a table of a catalog, or replace its rows by them; columns are matched by position.

        Args:
            table_path_or_descriptor: the path of the table.
            overwrite: replace the rows of the table.

        Raises:
            TableNotExistException: there is no such table.
            ValidationException: the columns do not fit those of the table; nothing has been written then.
        """
        if not isinstance(table_path_or_descriptor, str):
            raise ValidationException(
                f"execute_insert takes the path of a table, but was given {table_path_or_descriptor!r}."
            )
        return self._environment._insert(self, table_path_or_descriptor, overwrite)

    # --- internals ---------------------------------------------------------------------------------------------------

    @property
    def _lookup(self) -> Any:
        return self._environment._function_lookup

    def _next(self, operation: QueryOperation) -> Table:
        return Table(operation, self._environment)

    def __getattr__(self, name: str) -> Expression[Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        schema = self._operation.schema
        if schema.index_of(name) is None:
            methods = [m for m in dir(type(self)) if not m.startswith("_")]
            raise AttributeError(
                f"The table has neither a method nor a column {name!r}; its columns are [{listing(schema.names)}]."
                + did_you_mean(name, [*schema.names, *methods])
            )
        return col(schema.column(name).name)

    def __repr__(self) -> str:
        return self.as_summary_string()


class GroupedTable:
    """A table whose rows are grouped, and wait to be aggregated."""

    def __init__(self, table: Table, keys: list[Unresolved]) -> None:
        self._table = table
        self._keys = keys

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns of each group from its keys and from aggregates.

        Raises:
            ValidationException: a column is neither a key nor inside of an aggregate, or an aggregate is inside of
                another.
        """
        table = self._table
        expressions = _expressions(fields, "select")
        return table._next(resolve.group_and_select(table._operation, self._keys, expressions, table._lookup))

    def __repr__(self) -> str:
        return f"Group of\n{self._table!r}"
