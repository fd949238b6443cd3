"""Tables: queries that are built step by step, each step checked as it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, Self

from ir.errors import ValidationException
from ir.expressions import OuterReference, UnresolvedReference
from ir.implicit_notices import without_notices
from ir.operations.aggregate import cube_sets, rollup_sets
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation
from ir.operations.outer_references import require_no_outer_references
from ir.operations.set_operation import SetOperationType
from ir.relation_names import NO_NAMES
from ir.rendering import Dialect, DialectName, Layout, LayoutName
from ir.resolution import operations as resolve
from ir.resolution.grouping import Grouping, grouping_by, grouping_sets
from ir.schema import ResolvedSchema
from serializer.hidden_names import hiding
from tableapi.advice.misused_members import describe_given
from tableapi.advice.refusals import refuses
from tableapi.explain_detail import ExplainDetail
from tableapi.expression import Expression
from tableapi.lazy import lazy
from tableapi.members.type_arguments import column_names, whole_number
from tableapi.queries.query import Query
from tableapi.result import TableResult
from tableapi.steps.shown_table import ShownTable
from tableapi.steps.step_arguments import called_with_row, unpivot_groups, unresolved
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    import pandas
    import pyarrow
    from pyspark import StorageLevel
    from pyspark.sql import DataFrame

    from ir.operations import hint
    from ir.operations.hint import HintName
    from ir.resolution import lateral, partitions, pivoting
    from tableapi import table_pipeline, table_schema, unknown_members
    from tableapi.python_code import script
    from tableapi.queries.environment_parts import EnvironmentParts
    from tableapi.steps import grouped_table, partitioned_table, windowed_table
    from tableapi.steps.grouped_table import AggregatedTable, FlatAggregateTable, GroupedTable
    from tableapi.steps.partitioned_table import PartitionedTable
    from tableapi.steps.windowed_table import GroupWindowedTable, OverWindowedTable
    from tableapi.table_descriptor import TableDescriptor
    from tableapi.table_pipeline import TablePipeline
    from tableapi.table_schema import TableSchema
    from tableapi.user_functions.wrapper import TableCallable, UserDefinedFunctionWrapper
    from tableapi.window.group import GroupWindow
    from tableapi.window.over import OverWindow
else:
    pyarrow = lazy(__name__, "pyarrow")
    hint = lazy(__name__, "ir.operations.hint")
    lateral = lazy(__name__, "ir.resolution.lateral")
    partitions = lazy(__name__, "ir.resolution.partitions")
    pivoting = lazy(__name__, "ir.resolution.pivoting")
    table_pipeline = lazy(__name__, "tableapi.table_pipeline")
    table_schema = lazy(__name__, "tableapi.table_schema")
    grouped_table = lazy(__name__, "tableapi.steps.grouped_table")
    partitioned_table = lazy(__name__, "tableapi.steps.partitioned_table")
    unknown_members = lazy(__name__, "tableapi.unknown_members")
    windowed_table = lazy(__name__, "tableapi.steps.windowed_table")
    script = lazy(__name__, "tableapi.python_code.script")

__all__ = ["Table"]

StorageLevelName = Literal[
    "DISK_ONLY",
    "DISK_ONLY_2",
    "DISK_ONLY_3",
    "MEMORY_AND_DISK",
    "MEMORY_AND_DISK_2",
    "MEMORY_AND_DISK_DESER",
    "MEMORY_ONLY",
    "MEMORY_ONLY_2",
    "NONE",
    "OFF_HEAP",
]
"""The names of ``pyspark.StorageLevel`` as type checkers know them; at run time, any case is accepted."""

_MAX_CUBE = 12


@boundaries
@refuses
class Table(ShownTable):
    """A query: immutable, typed, and run only when its rows are asked for.

    Every method that gives a table checks its arguments at once and leaves this table as it is. A column may be
    written as an attribute, ``table.name`` for ``col("name")``, where no method has its name; type checkers do not know
    columns as attributes, and ``table["name"]`` is for them.
    """

    def __init__(self, query: Query) -> None:
        self._query = query

    # --- projection ---------------------------------------------------------------------------------------------------

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns from the columns of each row, or, where one holds an aggregate, one row from all rows.

        Args:
            fields: expressions; one without a name of its own is called ``_c`` and its position, or ``EXPR$`` and a
                number where it is an aggregate. ``col("*")`` stands for all columns.

        Raises:
            ValidationException: a column does not exist, a call is not accepted, or two names are the same.
        """
        return Table(
            self._query.next(resolve.select(self._query.operation, unresolved(fields, "select"), self._query.lookup))
        )

    def alias(self, field: str, *fields: str) -> Table:
        """Rename the first columns, in order; further columns keep their names."""
        return Table(
            self._query.next(resolve.rename_all(self._query.operation, column_names((field, *fields), "alias")))
        )

    def add_columns(self, *fields: Expression[Any]) -> Table:
        """Add columns after the existing ones, whose names must be new."""
        expressions = unresolved(fields, "add_columns")
        return Table(
            self._query.next(resolve.add_columns(self._query.operation, expressions, self._query.lookup, replace=False))
        )

    def add_or_replace_columns(self, *fields: Expression[Any]) -> Table:
        """Add columns; one whose name exists takes the place of the existing column."""
        expressions = unresolved(fields, "add_or_replace_columns")
        return Table(
            self._query.next(resolve.add_columns(self._query.operation, expressions, self._query.lookup, replace=True))
        )

    def rename_columns(self, *fields: Expression[Any]) -> Table:
        """Rename columns, each given as ``col("old").alias("new")``."""
        return Table(
            self._query.next(resolve.rename_columns(self._query.operation, unresolved(fields, "rename_columns")))
        )

    def drop_columns(self, *fields: Expression[Any]) -> Table:
        """Leave columns out."""
        return Table(self._query.next(resolve.drop_columns(self._query.operation, unresolved(fields, "drop_columns"))))

    def map(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> Table:
        """Compute one row of each row: the columns are the fields of a value of type ROW.

        Args:
            func: such a value, for example ``row(col("a"), col("b").alias("x"))``; or a function of a user that
                returns a row, which is then given the whole row.

        Raises:
            ValidationException: it is no ROW, or is an aggregate.
        """
        (expression,) = unresolved((called_with_row(func, self._query.operation.schema.names),), "map")
        return Table(self._query.next(resolve.map_rows(self._query.operation, expression, self._query.lookup)))

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

    # --- rows ---------------------------------------------------------------------------------------------------------

    def filter(self, predicate: Expression[bool]) -> Table:
        """Keep the rows for which the predicate is TRUE.

        Raises:
            ValidationException: it is not a condition, or holds an aggregate.
        """
        (expression,) = unresolved((predicate,), "filter")
        return Table(self._query.next(resolve.filter_rows(self._query.operation, expression, self._query.lookup)))

    def where(self, predicate: Expression[bool]) -> Table:
        """Keep the rows for which the predicate is TRUE; the same as ``filter``."""
        return self.filter(predicate)

    def distinct(self) -> Table:
        """Keep each different row once."""
        return Table(self._query.next(resolve.distinct_rows(self._query.operation)))

    def group_by(self, *fields: Expression[Any]) -> GroupedTable:
        """Group rows by the values of expressions; the groups are then aggregated by ``select``."""
        expressions = unresolved(fields, "group_by")
        return self._grouped(grouping_by(self._query.operation, expressions, self._query.lookup))

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
        return windowed_table.GroupWindowedTable(self._query, window)

    def over_window(self, *over_windows: OverWindow) -> OverWindowedTable:
        """Declare windows over rows, which expressions of the following ``select`` find by their alias.

        Raises:
            ValidationException: there is no window, one has no alias, or two have the same; or a key does not exist or
                cannot be compared, or a frame does not fit the order.
        """
        return windowed_table.OverWindowedTable(self._query, windowed_table.windows_by_alias(over_windows))

    def order_by(self, *fields: Expression[Any]) -> Table:
        """Put the rows in order; NULL counts as the least value."""
        return Table(
            self._query.next(
                resolve.order_rows(self._query.operation, unresolved(fields, "order_by"), self._query.lookup)
            )
        )

    def offset(self, offset: int) -> Table:
        """Leave out the first rows, in the order that ``order_by`` made."""
        return Table(self._query.next(resolve.skip_rows(self._query.operation, whole_number(offset, "offset"))))

    def fetch(self, fetch: int) -> Table:
        """Keep the first rows, in the order that ``order_by`` made."""
        return Table(self._query.next(resolve.take_rows(self._query.operation, whole_number(fetch, "fetch"))))

    def limit(self, fetch: int, offset: int = 0) -> Table:
        """Keep the first ``fetch`` rows after the first ``offset``."""
        whole_number(fetch, "limit")
        return self.offset(offset).fetch(fetch) if offset else self.fetch(fetch)

    # --- rows, in the terms of SQL and of PySpark ---------------------------------------------------------------------

    def grouping_sets(self, *sets: Sequence[Expression[Any]], keys: Sequence[Expression[Any]] = ()) -> GroupedTable:
        """Group rows several times, once by each set of keys; a key that is not in the set is NULL then.

        ``col("key").grouping`` and ``grouping_id()`` tell such a NULL from one of the data. PyFlink has this in SQL
        alone.

        Args:
            sets: the keys of each time, ``[]`` for one group of all rows:
                ``t.grouping_sets([col("a"), col("b")], [col("a")], [])``.
            keys: the order of the keys for ``grouping_id()``, if not that in which the sets have them; one that is in
                no set is always NULL.

        Raises:
            ValidationException: a set is not a sequence of expressions, or there is no key at all.
        """
        written = []
        for given in (*sets, keys):
            if isinstance(given, str | Expression) or not isinstance(given, Sequence):
                raise ValidationException(
                    f"grouping_sets takes sequences such as [col('a'), col('b')], but was given {given!r}."
                )
            written.append(unresolved(given, "grouping_sets"))
        first = written.pop()
        return self._grouped(grouping_sets(self._query.operation, written, self._query.lookup, first))

    def rollup(self, *fields: Expression[Any]) -> GroupedTable:
        """Group rows by all keys, then by all but the last, and so on down to one group of all rows.

        This gives subtotals and a grand total: ``t.rollup(col("year"), col("month")).select(…)``.

        Raises:
            ValidationException: there is no key, or one is not accepted.
        """
        keys = unresolved(fields, "rollup")
        sets = [[keys[i] for i in chosen] for chosen in rollup_sets(len(keys))]
        return self._grouped(grouping_sets(self._query.operation, sets, self._query.lookup))

    def cube(self, *fields: Expression[Any]) -> GroupedTable:
        """Group rows by every choice of the keys, from all of them to none.

        Raises:
            ValidationException: there is no key, one is not accepted, or there are more than 12, which would group the
                rows more than 4,096 times.
        """
        keys = unresolved(fields, "cube")
        if len(keys) > _MAX_CUBE:
            raise ValidationException(
                f"cube of {len(keys)} keys would group the rows {2 ** len(keys):,} times; at most {_MAX_CUBE} keys are "
                "accepted. Name the sets that are needed with grouping_sets."
            )
        sets = [[keys[i] for i in chosen] for chosen in cube_sets(len(keys))]
        return self._grouped(grouping_sets(self._query.operation, sets, self._query.lookup))

    def unpivot(
        self,
        ids: Sequence[Expression[Any]] | None,
        values: Sequence[Expression[Any]] | Mapping[str, Expression[Any] | Sequence[Expression[Any]]] | None,
        variable_column_name: str,
        value_column_name: str | Sequence[str],
        include_nulls: bool = True,
    ) -> Table:
        """Turn columns into rows: for each row and each column, a row with the column's name and its value.

        The names are those of ``pyspark.sql.DataFrame.unpivot``; PyFlink has nothing like it.

        Args:
            ids: columns that stay; None for all that are not among ``values``.
            values: columns that become rows, None for all that are not among ``ids``; or what to call each of them,
                ``{"first": col("a"), "second": col("b")}``, where a value may be several columns.
            variable_column_name: the column with the names.
            value_column_name: the column with the values, or one for each of several columns.
            include_nulls: keep rows whose values are all NULL, which ``UNPIVOT`` alone would leave out in SQL.

        Raises:
            ValidationException: something is no column of this table or is used twice, or the columns have no type in
                common.
        """
        value_names = [value_column_name] if isinstance(value_column_name, str) else list(value_column_name)

        operation = pivoting.unpivot_columns(
            self._query.operation,
            None if ids is None else unresolved(ids, "unpivot"),
            unpivot_groups(values),
            column_names([variable_column_name], "unpivot")[0],
            column_names(value_names, "unpivot"),
            include_nulls=include_nulls,
        )
        return Table(self._query.next(operation))

    def sample(self, fraction: float | Decimal, seed: int | None = None) -> Table:
        """Keep each row with a probability.

        Args:
            fraction: the probability, from 0 to 1.
            seed: a whole number from 0, which makes the choice the same each time over the same rows in the same
                partitions.

        Raises:
            ValidationException: the fraction or the seed is out of range.
        """
        if isinstance(fraction, bool) or not isinstance(fraction, int | float | Decimal):
            raise ValidationException(f"sample takes a fraction from 0 to 1, but was given {fraction!r}.")
        if seed is not None and not 0 <= whole_number(seed, "sample") < 2**31:
            raise ValidationException(f"The seed of sample is from 0 to {2**31 - 1}, but {seed} was given.")
        exact = Decimal(repr(fraction) if isinstance(fraction, float) else fraction)
        if not exact.is_finite():
            raise ValidationException(f"sample takes a fraction from 0 to 1, but was given {fraction!r}.")
        return Table(self._query.next(hint.Sample(self._query.operation, (exact * 100).normalize(), seed)))

    def hint(self, name: HintName, *parameters: int | Expression[Any]) -> Table:
        """Advise Spark how to run the query; no hint changes its rows.

        Args:
            name: ``BROADCAST``, ``MERGE``, ``SHUFFLE_HASH`` or ``SHUFFLE_REPLICATE_NL`` for how this table is joined
                with another; ``COALESCE``, ``REPARTITION``, ``REPARTITION_BY_RANGE`` or ``REBALANCE`` for how its rows
                are spread.
            parameters: of the latter, the number of partitions and columns to spread by.

        >>> # orders.join(customers.hint("broadcast"), col("customer_id") == col("id"))

        Raises:
            ValidationException: there is no such hint, or it does not take the parameters.
        """
        if not isinstance(name, str):
            raise ValidationException(f"hint takes the name of a hint, but was given {name!r}.")
        partitions: int | None = None
        rest: Sequence[Any] = parameters
        if parameters and isinstance(parameters[0], int):
            partitions, rest = whole_number(parameters[0], "hint"), parameters[1:]
        columns = [resolve.column_of(self._query.operation, e, "hint") for e in unresolved(rest, "hint")]
        return Table(
            self._query.next(hint.Hint(self._query.operation, hint.hint_name(name), partitions, tuple(columns)))
        )

    def distribute_by(self, *keys: Expression[Any]) -> Table:
        """Have Spark put the rows with equal keys into one partition; ``DISTRIBUTE BY`` in SQL.

        The rows stay the same. It is for what comes after: files that are written by partition, and
        :meth:`sort_within_partitions`. The number of partitions is Spark's (``hint("repartition", …)`` takes one).

        Raises:
            ValidationException: a key is an aggregate, is computed over a window, or is of type VARIANT.
        """
        return Table(
            self._query.next(
                partitions.distribute_rows(self._query.operation, unresolved(keys, "distribute_by"), self._query.lookup)
            )
        )

    def sort_within_partitions(self, *fields: Expression[Any]) -> Table:
        """Put the rows in order within each partition, which costs less than a sort of all; ``SORT BY`` in SQL.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col
        >>> te = TableEnvironment.create()
        >>> clicks = te.from_elements([("Ada", 2), ("Bo", 1)], ["customer", "page"])
        >>> clicks.distribute_by(col("customer")).sort_within_partitions(col("customer"), col("page").desc)
        Table(
          `customer` STRING NOT NULL,
          `page` INT NOT NULL
        )
        SELECT `customer`, `page`
        FROM VALUES
            ('Ada', 2),
            ('Bo', 1)
        AS `values`(`customer`, `page`)
        DISTRIBUTE BY `customer`
        SORT BY `customer`, `page` DESC

        Raises:
            ValidationException: values of a key's type have no order.
        """
        keys = unresolved(fields, "sort_within_partitions")
        return Table(self._query.next(partitions.sort_partitions(self._query.operation, keys, self._query.lookup)))

    # --- subqueries ---------------------------------------------------------------------------------------------------

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
        column = self._query.operation.schema.column(name)
        return Expression(OuterReference(column.name, column.data_type))

    # --- two tables ---------------------------------------------------------------------------------------------------

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
        made = resolve.join_tables(self._query.operation, other, kind, condition, self._query.lookup)
        return Table(self._query.next(made, right._query.names))

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
        if isinstance(right, Table):
            self._other(right, method)
        (called,) = unresolved((called_with_row(right, self._query.operation.schema.names),), method)
        condition = None if predicate is None else unresolved((predicate,), method)[0]
        made = lateral.join_lateral(self._query.operation, called, kind, condition, self._query.lookup, method)
        return Table(self._query.next(made, right._query.names if isinstance(right, Table) else NO_NAMES))

    def flat_map(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> Table:
        """Replace each row by the rows that a table function gives for it.

        Args:
            func: the call, whose arguments may be columns of this table; ``alias`` names its columns. Or a table
                function of a user itself, which is then given the whole row.

        Raises:
            ValidationException: what is given is no call of a table function.
        """
        (called,) = unresolved((called_with_row(func, self._query.operation.schema.names),), "flat_map")
        return Table(self._query.next(lateral.flat_map(self._query.operation, called, self._query.lookup)))

    def partition_by(self, *fields: Expression[Any]) -> PartitionedTable:
        """Say by what a process table function sees the rows of this table together.

        Args:
            fields: columns or other expressions; rows with equal values are one partition, those with NULL as well.

        Raises:
            ValidationException: there is none, or one does not exist or cannot be compared.
        """
        keys = unresolved(fields, "partition_by")
        if not keys:
            raise ValidationException("partition_by needs at least one expression.")
        partitioned_table.check_keys_of(self._query, keys, "partition_by")
        return partitioned_table.PartitionedTable(self._query, keys)

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
        return self._query.environment.fluent.from_call(f, self, *arguments, **named)  # type: ignore[no-any-return]  # a table

    def as_argument(self, name: str) -> PartitionedTable:
        """Name this table as an argument of a process table function.

        Raises:
            ValidationException: the name is not text, or is empty.
        """
        return partitioned_table.PartitionedTable(self._query).as_argument(name)

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
        made = resolve.set_operation(self._query.operation, other, kind, keep_duplicates)
        return Table(self._query.next(made, right._query.names))

    def _other(self, right: Any, method: str) -> QueryOperation:
        if not isinstance(right, Table):
            raise ValidationException(f"{method} takes a table, but was given {describe_given(right)}.")
        if right._query.environment is not self._query.environment:
            raise ValidationException(f"{method} takes a table of the same environment, but was given one of another.")
        return right._query.operation

    # --- what it is ---------------------------------------------------------------------------------------------------

    @property
    def query_operation(self) -> QueryOperation:
        """The tree of operations."""
        return self._query.operation

    def get_schema(self) -> TableSchema:
        """Return the columns."""
        return table_schema.TableSchema(self._query.operation.schema)

    def get_resolved_schema(self) -> ResolvedSchema:
        """Return the columns."""
        return self._query.operation.schema

    def print_schema(self) -> None:
        """Print the columns, a line each."""
        columns = [f"  {column!r}" for column in self._query.operation.schema.columns]
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
        with hiding(self._query.environment.runtime.functions.hiding_names()), self._query.naming():
            return self._query.operation.as_serializable_string(dialect, layout)

    def as_summary_string(self) -> str:
        """Return the tree of operations, a line each, inputs indented."""
        return self._query.operation.as_summary_string()

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
        with without_notices(), hiding(self._query.environment.runtime.functions.hiding_names()):
            return script.python_script(self._query, environment, name, line_length)

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the tree, the SQL and, where the session runs already, Spark's plan.

        Args:
            extra_details: what it says besides; see ``ExplainDetail``.
        """
        return self._query.explain(*extra_details)

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print what ``explain`` returns."""
        print(self.explain(*extra_details))

    # --- its rows -----------------------------------------------------------------------------------------------------

    def execute(self) -> TableResult:
        """Run the query once and return its rows, which are fetched as they are asked for.

        A small result has been computed when this returns. Of a large one only the first part has been, and the rest
        runs while one iterates: some tens of megabytes are in memory at a time, or one partition where that is larger.

        Raises:
            TableException: it failed; the message names the operation, Spark's condition and SQLSTATE. What fails in
                a later part is raised when that part is reached.
        """
        return self._query.execute()

    def to_arrow(self) -> pyarrow.Table:
        """Run the query and return its rows as an Arrow table."""
        with self._query.naming():
            return self._query.environment.execution.arrow(self._query.operation)

    def to_arrow_batch_reader(self) -> pyarrow.RecordBatchReader:
        """Run the query once and return its rows as Arrow batches that are fetched as they are asked for.

        The types are those of ``to_arrow``; what is in memory at a time is what ``execute`` says. What is not read is
        not computed.

        Raises:
            TableException: as ``execute``.

        Examples:
            with table.to_arrow_batch_reader() as reader:
                for batch in reader:
                    writer.write_batch(batch)
        """
        with self._query.naming():
            batches = self._query.environment.execution.batches(self._query.operation)
        return pyarrow.RecordBatchReader.from_batches(batches.schema, batches)

    def to_pandas(self) -> pandas.DataFrame:
        """Run the query and return its rows as a pandas DataFrame."""
        return self.to_arrow().to_pandas()  # type: ignore[no-any-return]  # pyarrow has no types

    def to_spark(self) -> DataFrame:
        """Return the query as a DataFrame of the environment's session.

        A query over a stream gives a streaming DataFrame, to be started with its ``writeStream``.

        Raises:
            TableException: Spark refuses the query, or the query is over a stream and does what streams cannot.
        """
        with self._query.naming():
            return self._query.environment.execution.dataframe(self._query.operation)

    # --- rows that Spark keeps ----------------------------------------------------------------------------------------

    def cache(self, storage_level: StorageLevelName | StorageLevel | None = None) -> Self:
        """Have Spark keep the rows, so that queries built on this table compute them once. Starts Spark.

        Nothing is computed yet: the first query that reads rows keeps them. The table itself stays as it is, with its
        SQL and its views: rows that are kept are read wherever a query of this environment has a part that is equal to
        this table, whoever built it. So a function that is called in it, or a ``rand()`` in it, has one value for all.
        Permanent views are read as they are stored, since other programs have to see the same.

        An insert by the same session into a table beneath makes Spark forget and compute the rows anew. What others
        write is not seen until ``uncache``.

        Args:
            storage_level: where: ``"MEMORY_AND_DISK_DESER"``, which is Spark's default, ``"DISK_ONLY"`` or another name
                or object of ``pyspark.StorageLevel``. A table that is cached already keeps its level where none is
                given, and otherwise gets the new one.

        Returns:
            This table.

        Raises:
            ValidationException: there is no such level, or two columns have the same name.
            TableException: Spark refuses the query, or it is over a stream, of which there are no rows to keep.

        Examples:
            active = orders.filter(col("state") == "active").join(customers, ...).cache()
            by_region = active.group_by(col("region")).select(col("region"), col("amount").sum)
            by_month = active.group_by(col("month")).select(col("month"), col("amount").sum)

        Source: https://spark.apache.org/docs/latest/api/python/reference/pyspark.sql/api/pyspark.sql.DataFrame.persist.html
        """
        self._query.operation.schema.require_distinct_names("A table that is cached")
        self._query.environment.execution.cache(self._query.operation, storage_level)
        return self

    def uncache(self) -> Self:
        """Have Spark forget the rows that ``cache`` keeps; of a table that is not cached nothing is to be done.

        Queries compute them from then on, as those did that were made before ``cache``.

        Returns:
            This table.

        Raises:
            TableException: Spark refuses.
        """
        started = self._query.environment.runtime.started
        if started is not None:
            started.cached.remove(self._query.operation)
        return self

    @property
    def is_cached(self) -> bool:
        """Whether Spark keeps the rows, or will from the first query on, after ``cache`` of this or an equal table."""
        started = self._query.environment.runtime.started
        return started is not None and self._query.operation in started.cached

    # --- writing it ---------------------------------------------------------------------------------------------------

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
        return table_pipeline.TablePipeline(self._query, table_path_or_descriptor, overwrite, partition, columns)

    # --- internals ----------------------------------------------------------------------------------------------------

    def _grouped(self, grouping: Grouping) -> GroupedTable:
        return grouped_table.GroupedTable(self._query, grouping)

    def _column(self, name: str) -> Expression[Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        schema = self._query.operation.schema
        if schema.index_of(name) is None:
            unknown_members.reraise_of_property(self, name)
            raise unknown_members.no_column_or_method(type(self), schema.names, name)
        return Expression(UnresolvedReference(schema.column(name).name))

    if not TYPE_CHECKING:
        # Type checkers would take a misspelt method for a column.
        __getattr__ = _column


def query_of(table: Table) -> Query:
    """Return the query that a table is."""
    return table._query


def own_query(environment: EnvironmentParts, table: Any, method: str) -> Query:
    """Return the query of a table that a method of an environment was given.

    Raises:
        ValidationException: it is no table, is one of another environment, or refers to a query around it.
    """
    if not isinstance(table, Table):
        raise _not_own(table, method)
    return require_own(environment, table._query, method)


def require_own(environment: EnvironmentParts, query: Query, method: str) -> Query:
    """Return a query that a method of an environment was given.

    Raises:
        ValidationException: it is of another environment, or refers to a query around it.
    """
    if query.environment is not environment:
        raise _not_own(Table(query), method)
    require_no_outer_references(query.operation)
    return query


def _not_own(given: Any, method: str) -> ValidationException:
    return ValidationException(f"{method} takes a table of this environment, but was given {describe_given(given)}.")
