"""Tables: queries that are built step by step, each step checked as it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from ir.contents import EQUAL_NAMES, PROCESS
from ir.errors import ValidationException
from ir.expressions import OuterReference
from ir.implicit_notices import has_notices, without_notices
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation
from ir.operations.set_operation import SetOperationType
from ir.relation_names import NO_NAMES, RelationNames
from ir.rendering import Dialect, DialectName, Layout, LayoutName
from ir.resolution import operations as resolve
from ir.resolution.grouping import Grouping, grouping_by
from ir.schema import ResolvedSchema
from serializer.given_names import naming
from serializer.hidden_names import hiding
from tableapi.arguments import called_with_row, column_names, unresolved, whole_number
from tableapi.cached_rows import CachedRows
from tableapi.explain_detail import ExplainDetail, check_details
from tableapi.expression import Expression
from tableapi.expressions import col
from tableapi.fetched_rows import FetchedRows
from tableapi.grouped_table import AggregatedTable, FlatAggregateTable, GroupedTable
from tableapi.misused_members import describe_given
from tableapi.refusals import refuses
from tableapi.result import TableResult
from tableapi.row_steps import RowSteps
from tableapi.shown_table import ShownTable
from tableapi.table_pipeline import TablePipeline
from tableapi.table_schema import TableSchema
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from tableapi.calls_of_tables import TableCallable
    from tableapi.environment import TableEnvironment
    from tableapi.partitioned_table import PartitionedTable
    from tableapi.table_descriptor import TableDescriptor
    from tableapi.user_functions.wrapper import UserDefinedFunctionWrapper
    from tableapi.window.group import GroupWindow
    from tableapi.window.over import OverWindow
    from tableapi.windowed_table import GroupWindowedTable, OverWindowedTable

__all__ = ["Table"]


@boundaries
@refuses
class Table(ShownTable, RowSteps, FetchedRows, CachedRows):
    """A query: immutable, typed, and run only when its rows are asked for.

    Every method that gives a table checks its arguments at once and leaves this table as it is. A column may be
    written as an attribute, ``table.name`` for ``col("name")``, where no method has its name; type checkers do not know
    columns as attributes, and ``table["name"]`` is for them.
    """

    def __init__(
        self, operation: QueryOperation, environment: TableEnvironment, names: RelationNames = NO_NAMES
    ) -> None:
        contents = operation.contents
        if contents & EQUAL_NAMES:
            from ir.equal_names import continue_query

            operation = continue_query(operation)
        if contents & PROCESS:
            from ir.resolution.process.uids import calls_of

            # Refuses two calls with the same identifier.
            calls_of(operation)
        self._operation = operation
        self._environment = environment
        self._names = names

    # --- projection --------------------------------------------------------------------------------------------------

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns from the columns of each row, or, where one holds an aggregate, one row from all rows.

        Args:
            fields: expressions; one without a name of its own is called ``_c`` and its position, or ``EXPR$`` and a
                number where it is an aggregate. ``col("*")`` stands for all columns.

        Raises:
            ValidationException: a column does not exist, a call is not accepted, or two names are the same.
        """
        return self._next(resolve.select(self._operation, unresolved(fields, "select"), self._lookup))

    def alias(self, field: str, *fields: str) -> Table:
        """Rename the first columns, in order; further columns keep their names."""
        return self._next(resolve.rename_all(self._operation, column_names((field, *fields), "alias")))

    def add_columns(self, *fields: Expression[Any]) -> Table:
        """Add columns after the existing ones, whose names must be new."""
        expressions = unresolved(fields, "add_columns")
        return self._next(resolve.add_columns(self._operation, expressions, self._lookup, replace=False))

    def add_or_replace_columns(self, *fields: Expression[Any]) -> Table:
        """Add columns; one whose name exists takes the place of the existing column."""
        expressions = unresolved(fields, "add_or_replace_columns")
        return self._next(resolve.add_columns(self._operation, expressions, self._lookup, replace=True))

    def rename_columns(self, *fields: Expression[Any]) -> Table:
        """Rename columns, each given as ``col("old").alias("new")``."""
        return self._next(resolve.rename_columns(self._operation, unresolved(fields, "rename_columns")))

    def drop_columns(self, *fields: Expression[Any]) -> Table:
        """Leave columns out."""
        return self._next(resolve.drop_columns(self._operation, unresolved(fields, "drop_columns")))

    def map(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> Table:
        """Compute one row of each row: the columns are the fields of a value of type ROW.

        Args:
            func: such a value, for example ``row(col("a"), col("b").alias("x"))``; or a function of a user that
                returns a row, which is then given the whole row.

        Raises:
            ValidationException: it is no ROW, or is an aggregate.
        """
        (expression,) = unresolved((called_with_row(func, self),), "map")
        return self._next(resolve.map_rows(self._operation, expression, self._lookup))

    def aggregate(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> AggregatedTable:
        """Aggregate all rows to one; ``select`` then says which columns are wanted.

        Args:
            func: an aggregate, with an alias where ``select`` is to name it; or an aggregate of a user itself, which
                is then given whole rows.
        """
        return self._grouped(Grouping(())).aggregate(func)

    def flat_aggregate(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> FlatAggregateTable:
        """Make rows of all rows with a table aggregate; ``select`` then says which columns are wanted.

        Args:
            func: a call of a table aggregate, whose columns ``alias`` names; or the function itself, which is then
                given whole rows.
        """
        return self._grouped(Grouping(())).flat_aggregate(func)

    # --- rows --------------------------------------------------------------------------------------------------------

    def filter(self, predicate: Expression[bool]) -> Table:
        """Keep the rows for which the predicate is TRUE.

        Raises:
            ValidationException: it is not a condition, or holds an aggregate.
        """
        (expression,) = unresolved((predicate,), "filter")
        return self._next(resolve.filter_rows(self._operation, expression, self._lookup))

    def where(self, predicate: Expression[bool]) -> Table:
        """Keep the rows for which the predicate is TRUE; the same as ``filter``."""
        return self.filter(predicate)

    def distinct(self) -> Table:
        """Keep each different row once."""
        return self._next(resolve.distinct_rows(self._operation))

    def group_by(self, *fields: Expression[Any]) -> GroupedTable:
        """Group rows by the values of expressions; the groups are then aggregated by ``select``."""
        expressions = unresolved(fields, "group_by")
        return self._grouped(grouping_by(self._operation, expressions, self._lookup))

    def window(self, window: GroupWindow) -> GroupWindowedTable:
        """Put the rows into windows over their times; a ``group_by`` with the window's alias has to follow.

        >>> from tableapi.expressions import col, lit
        >>> from tableapi.window import Tumble
        >>> ten_minutes = Tumble.over(lit(10).minutes).on(col("ts")).alias("w")

        ``readings.window(ten_minutes).group_by(col("w"), col("sensor")).select(col("w").start, col("value").avg)`` has
        a row for each sensor and ten minutes.

        Args:
            window: ``Tumble``, ``Slide`` or ``Session`` with its length, time and alias.

        Raises:
            ValidationException: it is something else, or its time does not exist or is none.
        """
        from tableapi.windowed_table import GroupWindowedTable

        return GroupWindowedTable(self, window)

    def over_window(self, *over_windows: OverWindow) -> OverWindowedTable:
        """Declare windows over rows, which expressions of the following ``select`` find by their alias.

        Raises:
            ValidationException: there is no window, one has no alias, or two have the same; or a key does not exist or
                cannot be compared, or a frame does not fit the order.
        """
        from tableapi.windowed_table import OverWindowedTable, windows_by_alias

        return OverWindowedTable(self, windows_by_alias(over_windows))

    def order_by(self, *fields: Expression[Any]) -> Table:
        """Put the rows in order; NULL counts as the least value."""
        return self._next(resolve.order_rows(self._operation, unresolved(fields, "order_by"), self._lookup))

    def offset(self, offset: int) -> Table:
        """Leave out the first rows, in the order that ``order_by`` made."""
        return self._next(resolve.skip_rows(self._operation, whole_number(offset, "offset")))

    def fetch(self, fetch: int) -> Table:
        """Keep the first rows, in the order that ``order_by`` made."""
        return self._next(resolve.take_rows(self._operation, whole_number(fetch, "fetch")))

    def limit(self, fetch: int, offset: int = 0) -> Table:
        """Keep the first ``fetch`` rows after the first ``offset``."""
        whole_number(fetch, "limit")
        return self.offset(offset).fetch(fetch) if offset else self.fetch(fetch)

    # --- subqueries --------------------------------------------------------------------------------------------------

    def outer(self, name: str) -> Expression[Any]:
        """Return a column of this table for use in a subquery: the value in the row for which the subquery is asked.

        The query that uses it becomes part of this table, or of one with the same column, by ``exists``, ``scalar`` or
        ``in_``; alone it means nothing, and is refused when it is run or stored.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col, exists
        >>> te = TableEnvironment.create()
        >>> orders = te.from_elements([(1, "Ada"), (2, "Bo")], ["id", "customer"])
        >>> lines = te.from_elements([(1, "tea")], ["order", "product"])
        >>> orders.filter(exists(lines.filter(col("order") == orders.outer("id")))).select(col("customer"))
        Table(
          `customer` STRING NOT NULL
        )
        SELECT `customer`
        FROM VALUES
            (1, 'Ada'),
            (2, 'Bo')
        AS `outer_values`(`id`, `customer`)
        WHERE EXISTS (
            SELECT *
            FROM VALUES
                (1, 'tea')
            AS `values`(`order`, `product`)
            WHERE `order` = `outer_values`.`id`
        )

        Args:
            name: the name of the column.

        Raises:
            ValidationException: there is no such column.
        """
        column = self._operation.schema.column(name)
        return Expression(OuterReference(column.name, column.data_type))

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
        condition = None if predicate is None else unresolved((predicate,), "join")[0]
        made = resolve.join_tables(self._operation, other, kind, condition, self._lookup)
        return self._next(made, right._names)

    def join_lateral(
        self,
        table_function_call: Expression[Any] | UserDefinedFunctionWrapper | Table,
        join_predicate: Expression[bool] | None = None,
    ) -> Table:
        """Join each row with the rows that a table function gives for it; a row without any is left out.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import call, col
        >>> te = TableEnvironment.create()
        >>> products = te.from_elements([("pen", ["blue", "fine"])], ["product", "tags"])
        >>> products.join_lateral(call("explode", col("tags")).alias("tag")).get_schema().get_field_names()
        ['product', 'tags', 'tag']

        Args:
            table_function_call: the call, whose arguments may be columns of this table; ``alias`` names its columns,
                which otherwise have the function's own names. Or a table function of a user itself, which is then given
                the whole row. Or a table that refers to the row by ``outer``.
            join_predicate: which of the rows are kept; all of them where it is missing.

        Raises:
            ValidationException: what is given is no call of a table function, or a name of its columns is taken.
        """
        return self._join_lateral(table_function_call, JoinType.INNER, join_predicate, "join_lateral")

    def left_outer_join_lateral(
        self,
        table_function_call: Expression[Any] | UserDefinedFunctionWrapper | Table,
        join_predicate: Expression[bool] | None = None,
    ) -> Table:
        """Like ``join_lateral``, keeping rows for which the function gives none, with NULL in its columns."""
        return self._join_lateral(table_function_call, JoinType.LEFT_OUTER, join_predicate, "left_outer_join_lateral")

    def _join_lateral(self, right: Any, kind: JoinType, predicate: Any, method: str) -> Table:
        from ir.resolution.lateral import join_lateral

        if isinstance(right, Table):
            self._other(right, method)
        (called,) = unresolved((called_with_row(right, self),), method)
        condition = None if predicate is None else unresolved((predicate,), method)[0]
        made = join_lateral(self._operation, called, kind, condition, self._lookup, method)
        return self._next(made, right._names if isinstance(right, Table) else NO_NAMES)

    def flat_map(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> Table:
        """Replace each row by the rows that a table function gives for it.

        Args:
            func: the call, whose arguments may be columns of this table; ``alias`` names its columns. Or a table
                function of a user itself, which is then given the whole row.

        Raises:
            ValidationException: what is given is no call of a table function.
        """
        from ir.resolution.lateral import flat_map

        (called,) = unresolved((called_with_row(func, self),), "flat_map")
        return self._next(flat_map(self._operation, called, self._lookup))

    def partition_by(self, *fields: Expression[Any]) -> PartitionedTable:
        """Say by what a process table function sees the rows of this table together.

        Args:
            fields: columns or other expressions; rows with equal values are one partition, those with NULL as well.

        Raises:
            ValidationException: there is none, or one does not exist or cannot be compared.
        """
        from tableapi.partitioned_table import PartitionedTable, check_keys_of

        keys = unresolved(fields, "partition_by")
        if not keys:
            raise ValidationException("partition_by needs at least one expression.")
        check_keys_of(self, keys, "partition_by")
        return PartitionedTable(self, keys)

    def process(self, f: TableCallable, /, *arguments: Any, **named: Any) -> Table:
        """Return what a process table function gives for this table, which is its first argument.

        >>> from collections.abc import Iterator
        >>> from tableapi import Row, TableEnvironment
        >>> from tableapi.expressions import col
        >>> from tableapi.process_functions import ProcessTableFunction, TableAsRow
        >>> class Words(ProcessTableFunction):
        ...     def eval(self, input: TableAsRow[Row], least: int) -> Iterator[str]:
        ...         yield from [word for word in input[0].split() if len(word) >= least]
        >>> env = TableEnvironment.create()
        >>> env.from_elements([("to be or not",)], ["text"]).process(Words, 3).get_resolved_schema()
        (`EXPR$0` STRING NOT NULL)

        Args:
            f: its name or path, or its class or an instance of that.
            arguments: the arguments after this table: tables, expressions or constants.
            named: arguments by their names; ``on_time`` and ``uid``, which every function has, are among them.

        Raises:
            FunctionNotExistException: no function has the name.
            ValidationException: it is no process table function, or the call is wrong.
            TableException: the call is not supported.
        """
        return self._environment.from_call(f, self, *arguments, **named)

    def as_argument(self, name: str) -> PartitionedTable:
        """Name this table as an argument of a process table function.

        Raises:
            ValidationException: the name is not text, or is empty.
        """
        from tableapi.partitioned_table import PartitionedTable

        return PartitionedTable(self).as_argument(name)

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
        return self._next(resolve.set_operation(self._operation, other, kind, keep_duplicates), right._names)

    def _other(self, right: Any, method: str) -> QueryOperation:
        if not isinstance(right, Table):
            raise ValidationException(f"{method} takes a table, but was given {describe_given(right)}.")
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
        columns = [f"  {column!r}" for column in self._operation.schema.columns]
        print("\n".join(["(", ",\n".join(columns), ")"]) if columns else "()")

    def as_serializable_string(
        self, dialect: Dialect | DialectName = Dialect.SPARK, layout: Layout | LayoutName = Layout.NESTED
    ) -> str:
        """Return the query as SQL, which this environment reads as the same query.

        A built-in function whose name a temporary system function has is called ``system.builtin.f`` in it.

        Args:
            dialect: ``Dialect.SPARK``, which Spark runs, or ``Dialect.FLINK``; or the name of one.
            layout: ``Layout.NESTED``, one SELECT for each operation, or ``Layout.MERGED``, which folds operations into
                as few SELECTs as say the same; that is what runs and what ``create_view`` stores. MERGED is for the
                dialect SPARK alone.

        Raises:
            ValidationException: there is no such dialect or layout.
            TableException: something has no SQL form, or none that means the same in the dialect.
        """
        with hiding(self._environment._runtime.functions.hiding_names()), self._naming():
            return self._operation.as_serializable_string(dialect, layout)

    def as_summary_string(self) -> str:
        """Return the tree of operations, a line each, inputs indented."""
        return self._operation.as_summary_string()

    def to_python(self, environment: str = "env", name: str = "result", *, line_length: int = 100) -> str:
        """Return the query as the Python code that builds it: imports, tables that are used several times, the query.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col
        >>> env = TableEnvironment.create()
        >>> orders = env.from_elements([(1, "paid", 20), (2, "open", 5)], ["id", "status", "amount"])
        >>> totals = orders.group_by(col("status")).select(col("status"), col("amount").sum.alias("total"))
        >>> print(totals.filter(col("total") > 10).to_python())
        from tableapi.expressions import col
        <BLANKLINE>
        result = (
            env.from_elements([(1, "paid", 20), (2, "open", 5)], ["id", "status", "amount"])
            .group_by(col("status"))
            .select(col("status"), col("amount").sum.alias("total"))
            .filter(col("total") > 10)
        )
        <BLANKLINE>

        Run in an environment that has the same tables, it gives the very same query. The text is formatted as ``ruff
        format`` leaves it. It reads tables by the shortest paths that mean them in this environment as it is.

        Args:
            environment: the variable in which the code finds the environment.
            name: the variable that holds the table when the code has run.
            line_length: how long lines become at most, where they can be broken.

        Raises:
            ValidationException: one of the names is none of Python.
            TableException: the query reads data that only this process holds, or has something else that no fluent
                call makes, as a query that was written in SQL may have; the message names it.
        """
        from tableapi.python_code import python_script

        with without_notices(), hiding(self._environment._runtime.functions.hiding_names()):
            return python_script(self, environment, name, line_length)

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the tree, the SQL and, where the session runs already, Spark's plan.

        Args:
            extra_details: what it says besides; see ``ExplainDetail``.
        """
        with self._naming():
            return self._environment._statements.explain(self._operation, check_details(extra_details))

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print what ``explain`` returns."""
        print(self.explain(*extra_details))

    # --- writing it --------------------------------------------------------------------------------------------------

    def execute_insert(
        self,
        table_path_or_descriptor: str | TableDescriptor,
        overwrite: bool = False,
        *,
        partition: Mapping[str, Any] | None = None,
        columns: Sequence[str] | None = None,
    ) -> TableResult:
        """Append the rows to a table, or replace its rows by them; columns are matched by position.

        Args:
            table_path_or_descriptor: the path of the table, or a description of files.
            overwrite: replace the rows of the table, of a partitioned one those of the partitions that are written to.
            partition: values of partition keys that are the same for all rows, and that the rows have no column for.
            columns: the columns of the table that the rows have, in their order; the others get their default or NULL.

        Raises:
            TableNotExistException: there is no such table.
            ValidationException: the columns do not fit those of the table; nothing has been written then.
            TableException: the insert failed.
        """
        return self.insert_into(table_path_or_descriptor, overwrite, partition=partition, columns=columns).execute()

    def insert_into(
        self,
        table_path_or_descriptor: str | TableDescriptor,
        overwrite: bool = False,
        *,
        partition: Mapping[str, Any] | None = None,
        columns: Sequence[str] | None = None,
    ) -> TablePipeline:
        """Return the insert of the rows into a table, which writes when it is executed.

        The arguments are those of ``execute_insert``.

        Raises:
            ValidationException: the columns do not fit those of the table.
        """
        return TablePipeline(self, table_path_or_descriptor, overwrite, partition, columns)

    # --- internals ---------------------------------------------------------------------------------------------------

    @property
    def _lookup(self) -> Any:
        return self._environment._function_lookup

    def _naming(self) -> AbstractContextManager[None]:
        """Return a context in which texts of the query call its relations as the text that it was read from does."""
        return naming(self._operation, self._names)

    def _next(self, operation: QueryOperation, others: RelationNames = NO_NAMES) -> Table:
        if has_notices():
            from tableapi.suspicious_casts import check_step

            check_step(operation, (self._operation,))
        return Table(operation, self._environment, self._names.combined(others))

    def _grouped(self, grouping: Grouping) -> GroupedTable:
        return GroupedTable(self, grouping)

    def _column(self, name: str) -> Expression[Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        schema = self._operation.schema
        if schema.index_of(name) is None:
            from tableapi.unknown_members import no_column_or_method, reraise_of_property

            reraise_of_property(self, name)
            raise no_column_or_method(type(self), schema.names, name)
        return col(schema.column(name).name)

    if not TYPE_CHECKING:
        # Type checkers would take a misspelt method for a column.
        __getattr__ = _column
