"""The Table: a query that is built step by step, each step checked when it is added."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from ir.errors import ValidationException
from ir.expressions import OuterReference
from ir.implicit_notices import suppress_notices
from ir.light_typing import TYPE_CHECKING, Any, Literal
from ir.operations.operation import QueryOperation
from ir.relation_names import NO_NAMES
from ir.rendering import Dialect, DialectName, Layout, LayoutName, Quoting, QuotingName
from ir.resolution import operations as resolve
from ir.schema import ResolvedSchema
from ir.unresolved import UnresolvedReference
from serializer.hidden_names import hiding
from tableapi.expression import Expression
from tableapi.lazy import lazy
from tableapi.queries.query import Query
from tableapi.steps.step_arguments import call_with_row, require_several, unpivot_groups, unwrap_arguments
from tableapi.steps.table_display import TableDisplay
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    import datetime as dt

    import pandas
    import pyarrow
    from pyspark import StorageLevel
    from pyspark.sql import DataFrame
    from typing_extensions import Self

    from ir.operations import aggregate, hint, join, outer_references, set_operation
    from ir.operations.hint import HintName
    from ir.operations.join import JoinType
    from ir.operations.set_operation import SetOperationType
    from ir.resolution import as_of, grouping, joins, lateral, partitions, pivoting, set_operations, sorting
    from ir.resolution.grouping import Grouping
    from serializer.tree_json import writing as tree_writing
    from tableapi import result as results
    from tableapi import stream_options, table_pipeline, table_schema, unknown_members
    from tableapi.advice import misused_members
    from tableapi.explain_detail import ExplainDetail
    from tableapi.lineage import definitions
    from tableapi.lineage.lineage import Lineage
    from tableapi.members import type_arguments
    from tableapi.python_code import script
    from tableapi.queries import change_feeds, watermarks
    from tableapi.queries.environment_parts import EnvironmentParts
    from tableapi.result import TableResult
    from tableapi.steps import changelogs, grouped_table, partitioned_table, windowed_table
    from tableapi.steps.grouped_table import AggregatedTable, FlatAggregateTable, GroupedTable
    from tableapi.steps.partitioned_table import PartitionedTable
    from tableapi.steps.windowed_table import GroupWindowedTable, OverWindowedTable
    from tableapi.stream_options import StreamOptions
    from tableapi.table_descriptor import TableDescriptor
    from tableapi.table_pipeline import TablePipeline
    from tableapi.table_schema import TableSchema
    from tableapi.user_functions.wrapper import TableCallable, UserDefinedFunctionWrapper
    from tableapi.window.group import GroupWindow
    from tableapi.window.over import OverWindow
else:
    type_arguments = lazy(__name__, "tableapi.members.type_arguments")
    change_feeds = lazy(__name__, "tableapi.queries.change_feeds")
    changelogs = lazy(__name__, "tableapi.steps.changelogs")
    watermarks = lazy(__name__, "tableapi.queries.watermarks")
    pyarrow = lazy(__name__, "pyarrow")
    definitions = lazy(__name__, "tableapi.lineage.definitions")
    aggregate = lazy(__name__, "ir.operations.aggregate")
    hint = lazy(__name__, "ir.operations.hint")
    join = lazy(__name__, "ir.operations.join")
    outer_references = lazy(__name__, "ir.operations.outer_references")
    set_operation = lazy(__name__, "ir.operations.set_operation")
    misused_members = lazy(__name__, "tableapi.advice.misused_members")
    grouping = lazy(__name__, "ir.resolution.grouping")
    as_of = lazy(__name__, "ir.resolution.as_of")
    joins = lazy(__name__, "ir.resolution.joins")
    lateral = lazy(__name__, "ir.resolution.lateral")
    partitions = lazy(__name__, "ir.resolution.partitions")
    pivoting = lazy(__name__, "ir.resolution.pivoting")
    set_operations = lazy(__name__, "ir.resolution.set_operations")
    sorting = lazy(__name__, "ir.resolution.sorting")
    table_pipeline = lazy(__name__, "tableapi.table_pipeline")
    table_schema = lazy(__name__, "tableapi.table_schema")
    grouped_table = lazy(__name__, "tableapi.steps.grouped_table")
    partitioned_table = lazy(__name__, "tableapi.steps.partitioned_table")
    unknown_members = lazy(__name__, "tableapi.unknown_members")
    windowed_table = lazy(__name__, "tableapi.steps.windowed_table")
    script = lazy(__name__, "tableapi.python_code.script")
    results = lazy(__name__, "tableapi.result")
    stream_options = lazy(__name__, "tableapi.stream_options")
    tree_writing = lazy(__name__, "serializer.tree_json.writing")

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
"""The names of ``pyspark.StorageLevel`` for type checkers. At run time, names may be in any case."""

_MAX_CUBE = 12


@boundaries
class Table(TableDisplay):
    """An immutable, typed query, which runs only when its rows are requested.

    Every method that returns a table checks its arguments at once and leaves this table unchanged. ``table.name`` is
    short for ``col("name")`` unless a method has this name. Type checkers do not know columns as attributes; use
    ``table["name"]`` with them.
    """

    def __init__(self, query: Query) -> None:
        self._query = query

    # --- reading -----------------------------------------------------------------------------------------------------

    def changes(
        self,
        start: int | str | dt.datetime,
        end: int | str | dt.datetime | None = None,
        *,
        inclusive: Literal["both", "left", "right", "neither"] = "both",
        options: Mapping[str, str] | None = None,
        by_function: bool = False,
    ) -> Table:
        """Return the changes of a table of a catalog between two versions or two times.

        The changes of a stream, ``from_path(path, stream=True)``, begin with ``start`` and do not end.

        The result has the columns of the table, and ``_change_type``, ``_commit_version`` and ``_commit_timestamp``.

        Args:
            start: the first version or the earliest time.
            end: the last version or the latest time; by default, the newest.
            inclusive: which ends of the range are read.
            options: options of Spark's clause CHANGES, such as ``{"deduplicationMode": "netChanges"}``.
            by_function: whether to read with the function ``table_changes`` of Delta, in place of Spark's clause.

        Raises:
            ValidationException: an argument is invalid, or the range ends before it begins.
            TableException: the table is a query, or its catalog records no changes.

        >>> from tableapi import TableEnvironment
        >>> te = TableEnvironment.create()
        >>> orders = te.declare("sales.orders", {"id": "INT"})
        >>> orders.changes(1, 5).get_schema().get_field_names()
        ['id', '_change_type', '_commit_version', '_commit_timestamp']
        """
        return Table(change_feeds.read_changes(self._query, start, end, inclusive, options, by_function))

    def watermark(self, column: Expression[Any], delay: Expression[Any]) -> Table:
        """State how late the rows of a stream may be, so that windows and joins over it can end.

        A row that comes later than ``delay`` after the greatest time so far may be left out. Over a table, whose rows
        end, a watermark has no effect. SQL writes ``WATERMARK ts DELAY OF INTERVAL 10 SECONDS``.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col, lit
        >>> te = TableEnvironment.create()
        >>> clicks = te.declare("web.clicks", {"page": "STRING", "at": "TIMESTAMP_LTZ"})
        >>> late = te.from_path("web.clicks", stream=True).watermark(col("at"), lit(10).seconds)
        >>> print(late.as_serializable_string(layout="MERGED", quoting="NEEDED"))
        SELECT *
        FROM STREAM spark_catalog.web.clicks WATERMARK at DELAY OF INTERVAL '10' SECOND

        Args:
            column: the column of the times of rows, of type TIMESTAMP_LTZ.
            delay: a constant interval that is not negative: ``lit(10).seconds``.

        Raises:
            ValidationException: the column does not exist or is no time, or the delay is no such interval.

        Source: https://spark.apache.org/docs/latest/streaming/apis-on-dataframes-and-datasets.html
        """
        (written,) = unwrap_arguments((column,), "watermark")
        return Table(watermarks.add_watermark(self._query, written, delay))

    # --- projection ---------------------------------------------------------------------------------------------------

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns from each row, or, if a column contains an aggregate, one row from all rows.

        Args:
            fields: expressions. An expression without a name is called ``_c`` plus its position, an aggregate
                ``EXPR$`` plus a number. ``col("*")`` stands for all columns.

        Raises:
            ValidationException: a column does not exist, a call is invalid, or two names are the same.
        """
        return Table(
            self._query.next(
                resolve.select(self._query.operation, unwrap_arguments(fields, "select"), self._query.lookup)
            )
        )

    def alias(self, field: str, *fields: str) -> Table:
        """Rename the first columns, in order; the remaining columns keep their names."""
        return Table(
            self._query.next(
                resolve.rename_all(self._query.operation, type_arguments.column_names((field, *fields), "alias"))
            )
        )

    def add_columns(self, *fields: Expression[Any]) -> Table:
        """Add columns with new names after the existing columns."""
        expressions = unwrap_arguments(fields, "add_columns")
        return Table(
            self._query.next(resolve.add_columns(self._query.operation, expressions, self._query.lookup, replace=False))
        )

    def add_or_replace_columns(self, *fields: Expression[Any]) -> Table:
        """Add columns; a column whose name exists replaces the existing column."""
        expressions = unwrap_arguments(fields, "add_or_replace_columns")
        return Table(
            self._query.next(resolve.add_columns(self._query.operation, expressions, self._query.lookup, replace=True))
        )

    def rename_columns(self, *fields: Expression[Any]) -> Table:
        """Rename columns, each given as ``col("old").alias("new")``."""
        return Table(
            self._query.next(resolve.rename_columns(self._query.operation, unwrap_arguments(fields, "rename_columns")))
        )

    def drop_columns(self, *fields: Expression[Any]) -> Table:
        """Drop columns."""
        return Table(
            self._query.next(resolve.drop_columns(self._query.operation, unwrap_arguments(fields, "drop_columns")))
        )

    def map(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> Table:
        """Compute one row from each row; its columns are the fields of a ROW value.

        Args:
            func: a ROW value, for example ``row(col("a"), col("b").alias("x"))``, or a user-defined function that
                returns a row, which then gets the whole row as its argument.

        Raises:
            ValidationException: the value is not a ROW, or is an aggregate.
        """
        (expression,) = unwrap_arguments((call_with_row(func, self._query.operation.schema.names),), "map")
        return Table(self._query.next(resolve.map_rows(self._query.operation, expression, self._query.lookup)))

    def aggregate(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> AggregatedTable:
        """Aggregate all rows to one; the following ``select`` chooses the columns.

        Args:
            func: an aggregate call, with an alias if ``select`` refers to it, or a user-defined aggregate function,
                which then gets whole rows as its argument.
        """
        return self._group(grouping.Grouping(())).aggregate(func)

    def flat_aggregate(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> FlatAggregateTable:
        """Apply a table aggregate, which can return several rows, to all rows; ``select`` then chooses the columns.

        Args:
            func: a call of a table aggregate function, whose columns ``alias`` names, or the function itself, which
                then gets whole rows as its argument.
        """
        return self._group(grouping.Grouping(())).flat_aggregate(func)

    # --- rows ---------------------------------------------------------------------------------------------------------

    def filter(self, predicate: Expression[bool]) -> Table:
        """Keep the rows for which the predicate is TRUE.

        Raises:
            ValidationException: the predicate is not BOOLEAN, or contains an aggregate.
        """
        (expression,) = unwrap_arguments((predicate,), "filter")
        return Table(self._query.next(resolve.filter_rows(self._query.operation, expression, self._query.lookup)))

    def where(self, predicate: Expression[bool]) -> Table:
        """Keep the rows for which the predicate is TRUE; the same as ``filter``."""
        return self.filter(predicate)

    def distinct(self) -> Table:
        """Keep each distinct row once."""
        return Table(self._query.next(resolve.distinct_rows(self._query.operation)))

    def group_by(self, *fields: Expression[Any]) -> GroupedTable:
        """Group rows by the values of expressions; the following ``select`` aggregates the groups."""
        expressions = unwrap_arguments(fields, "group_by")
        return self._group(grouping.grouping_by(self._query.operation, expressions, self._query.lookup))

    def window(self, window: GroupWindow) -> GroupWindowedTable:
        """Assign the rows to windows over a time column; a ``group_by`` with the window's alias must follow.

        >>> from tableapi.expressions import col, lit
        >>> from tableapi.window import Tumble
        >>> ten_minutes = Tumble.over(lit(10).minutes).on(col("ts")).alias("w")

        ``readings.window(ten_minutes).group_by(col("w"), col("sensor")).select(col("w").start, col("value").avg)`` has
        a row for each sensor and ten minutes.

        Args:
            window: ``Tumble``, ``Slide`` or ``Session`` with its length, time and alias.

        Raises:
            ValidationException: the argument is not a window, or its time column does not exist or is not a time.
        """
        return windowed_table.GroupWindowedTable(self._query, window)

    def over_window(self, *over_windows: OverWindow) -> OverWindowedTable:
        """Declare windows over rows, to which expressions of the following ``select`` refer by alias.

        Raises:
            ValidationException: no window is given, a window has no alias, two windows have the same alias, a key does
                not exist or cannot be compared, or a frame does not fit the order.
        """
        return windowed_table.OverWindowedTable(self._query, windowed_table.windows_by_alias(over_windows))

    def order_by(self, *fields: Expression[Any]) -> Table:
        """Sort the rows; NULL counts as the least value."""
        return Table(
            self._query.next(
                sorting.order_rows(self._query.operation, unwrap_arguments(fields, "order_by"), self._query.lookup)
            )
        )

    def offset(self, offset: int) -> Table:
        """Skip the first rows in the order of ``order_by``."""
        return Table(
            self._query.next(sorting.skip_rows(self._query.operation, type_arguments.require_integer(offset, "offset")))
        )

    def fetch(self, fetch: int) -> Table:
        """Keep the first rows in the order of ``order_by``."""
        return Table(
            self._query.next(sorting.take_rows(self._query.operation, type_arguments.require_integer(fetch, "fetch")))
        )

    def limit(self, fetch: int, offset: int = 0) -> Table:
        """Keep the first ``fetch`` rows after the first ``offset``."""
        type_arguments.require_integer(fetch, "limit")
        return self.offset(offset).fetch(fetch) if offset else self.fetch(fetch)

    # --- rows, in terms of SQL and PySpark ----------------------------------------------------------------------------

    def grouping_sets(self, *sets: Sequence[Expression[Any]], keys: Sequence[Expression[Any]] = ()) -> GroupedTable:
        """Group the rows once by each set of keys; a key that is not in the set is NULL.

        ``col("key").grouping`` and ``grouping_id()`` distinguish such a NULL from a NULL in the data. PyFlink supports
        grouping sets only in SQL.

        Args:
            sets: the sets of keys, where ``[]`` is one group of all rows: ``t.grouping_sets([col("a"), col("b")],
                [col("a")], [])``.
            keys: the order of the keys for ``grouping_id()``, by default the order in the sets; a key that is in no
                set is always NULL.

        Raises:
            ValidationException: a set is not a sequence of expressions, or there is no key.
        """
        written = []
        for given in (*sets, keys):
            if isinstance(given, str | Expression) or not isinstance(given, Sequence):
                raise ValidationException(
                    f"grouping_sets takes sequences such as [col('a'), col('b')], but was given {given!r}."
                )
            written.append(unwrap_arguments(given, "grouping_sets"))
        first = written.pop()
        return self._group(grouping.grouping_sets(self._query.operation, written, self._query.lookup, first))

    def rollup(self, *fields: Expression[Any]) -> GroupedTable:
        """Group rows by all keys, then by all but the last, and so on down to one group of all rows.

        This gives subtotals and a grand total: ``t.rollup(col("year"), col("month")).select(…)``.

        Raises:
            ValidationException: no key is given, or a key is invalid.
        """
        keys = unwrap_arguments(fields, "rollup")
        sets = [[keys[i] for i in chosen] for chosen in aggregate.rollup_sets(len(keys))]
        return self._group(grouping.grouping_sets(self._query.operation, sets, self._query.lookup))

    def cube(self, *fields: Expression[Any]) -> GroupedTable:
        """Group the rows by every subset of the keys, from all of them to none.

        Raises:
            ValidationException: no key is given, a key is invalid, or there are more than 12 keys, which would group
                the rows more than 4,096 times.
        """
        keys = unwrap_arguments(fields, "cube")
        if len(keys) > _MAX_CUBE:
            raise ValidationException(
                f"cube of {len(keys)} keys would group the rows {2 ** len(keys):,} times; at most {_MAX_CUBE} keys are "
                "accepted. Name the sets that are needed with grouping_sets."
            )
        sets = [[keys[i] for i in chosen] for chosen in aggregate.cube_sets(len(keys))]
        return self._group(grouping.grouping_sets(self._query.operation, sets, self._query.lookup))

    def unpivot(
        self,
        ids: Sequence[Expression[Any]] | None,
        values: Sequence[Expression[Any]]
        | Mapping[str, Expression[Any] | Sequence[Expression[Any]]]
        | Sequence[tuple[str, Expression[Any] | Sequence[Expression[Any]]]]
        | None,
        variable_column_name: str,
        value_column_name: str | Sequence[str],
        include_nulls: bool = True,
    ) -> Table:
        """Turn columns into rows: for each row and column, return a row with the column's name and value.

        The parameters have the names of ``pyspark.sql.DataFrame.unpivot``. PyFlink has no such method.

        Args:
            ids: the columns to keep; None for all columns that are not in ``values``.
            values: the columns that become rows, None for all columns that are not in ``ids``; or a mapping from names
                to columns, ``{"first": col("a"), "second": col("b")}``, where a value may be several columns; or pairs
                of a name and columns, ``[("same", col("a")), ("same", col("b"))]``, whose names may be equal.
            variable_column_name: the name of the column that holds the names.
            value_column_name: the name of the column that holds the values, or one name for each of several columns.
            include_nulls: whether to keep rows whose values are all NULL; SQL's ``UNPIVOT`` drops them by default.

        Raises:
            ValidationException: an argument is not a column of this table or is used twice, or the columns have no
                common type.
        """
        is_single = isinstance(value_column_name, str)
        value_names = [value_column_name] if is_single else value_column_name
        operation = pivoting.unpivot_columns(
            self._query.operation,
            None if ids is None else unwrap_arguments(require_several(ids, "unpivot", "ids"), "unpivot"),
            unpivot_groups(values),
            type_arguments.column_names([variable_column_name], "unpivot")[0],
            type_arguments.column_names(require_several(value_names, "unpivot", "value_column_name"), "unpivot"),
            include_nulls=include_nulls,
        )
        return Table(self._query.next(operation))

    def sample(self, fraction: float | Decimal, seed: int | None = None) -> Table:
        """Keep each row with the given probability.

        Args:
            fraction: the probability, from 0 to 1.
            seed: a non-negative integer with which the sample is the same for the same rows in the same partitions.

        Raises:
            ValidationException: the fraction or the seed is out of range.
        """
        if isinstance(fraction, bool) or not isinstance(fraction, int | float | Decimal):
            raise ValidationException(f"sample takes a fraction from 0 to 1, but was given {fraction!r}.")
        if seed is not None and not 0 <= type_arguments.require_integer(seed, "sample") < 2**31:
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
                are spread; ``UNBOUNDED_STATE`` for joins of streams below that may keep all rows for ever.
            parameters: for the second group, the number of partitions and the columns to partition by.

        >>> # orders.join(customers.hint("broadcast"), col("customer_id") == col("id"))

        Raises:
            ValidationException: the hint does not exist or does not accept the parameters.
        """
        if not isinstance(name, str):
            raise ValidationException(f"hint takes the name of a hint, but was given {name!r}.")
        partitions: int | None = None
        rest: Sequence[Any] = parameters
        if parameters and isinstance(parameters[0], int):
            partitions, rest = type_arguments.require_integer(parameters[0], "hint"), parameters[1:]
        columns = [resolve.column_of(self._query.operation, e, "hint") for e in unwrap_arguments(rest, "hint")]
        return Table(
            self._query.next(hint.Hint(self._query.operation, hint.hint_name(name), partitions, tuple(columns)))
        )

    def distribute_by(self, *keys: Expression[Any]) -> Table:
        """Make Spark put rows with equal keys into one partition, as ``DISTRIBUTE BY`` in SQL.

        The rows stay the same. Use it before :meth:`sort_within_partitions`, or before files are written by partition.
        Spark chooses the number of partitions; ``hint("repartition", …)`` accepts a number.

        Raises:
            ValidationException: a key is an aggregate, a window function, or of type VARIANT.
        """
        return Table(
            self._query.next(
                partitions.distribute_rows(
                    self._query.operation, unwrap_arguments(keys, "distribute_by"), self._query.lookup
                )
            )
        )

    def sort_within_partitions(self, *fields: Expression[Any]) -> Table:
        """Sort the rows within each partition, which costs less than a total sort, as ``SORT BY`` in SQL.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col
        >>> te = TableEnvironment.create()
        >>> clicks = te.from_elements([("Ada", 2), ("Bo", 1)], ["customer", "page"])
        >>> clicks.distribute_by(col("customer")).sort_within_partitions(col("customer"), col("page").desc)
        Table(
          `customer` STRING NOT NULL,
          `page` INT NOT NULL
        )
        SELECT customer, page
        FROM VALUES
            ('Ada', 2),
            ('Bo', 1)
        AS `values`(customer, page)
        DISTRIBUTE BY customer
        SORT BY customer, page DESC

        Raises:
            ValidationException: a key's type has no order.
        """
        keys = unwrap_arguments(fields, "sort_within_partitions")
        return Table(self._query.next(partitions.sort_partitions(self._query.operation, keys, self._query.lookup)))

    # --- subqueries ---------------------------------------------------------------------------------------------------

    def outer(self, name: str) -> Expression[Any]:
        """Return a column for use in a subquery: its value in the row for which the subquery is evaluated.

        ``exists``, ``scalar`` or ``in_`` make the query that uses it part of this table, or of a table with the same
        column. On its own, such a query is invalid and can be neither run nor stored.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col, exists
        >>> te = TableEnvironment.create()
        >>> orders = te.from_elements([(1, "Ada"), (2, "Bo")], ["id", "customer"])
        >>> lines = te.from_elements([(1, "tea")], ["order", "product"])
        >>> orders.filter(exists(lines.filter(col("order") == orders.outer("id")))).select(col("customer"))
        Table(
          `customer` STRING NOT NULL
        )
        SELECT customer
        FROM VALUES
            (1, 'Ada'),
            (2, 'Bo')
        AS outer_values(id, customer)
        WHERE EXISTS (
            SELECT *
            FROM VALUES
                (1, 'tea')
            AS `values`(`order`, product)
            WHERE `order` = outer_values.id
        )

        Args:
            name: the name of the column.

        Raises:
            ValidationException: the column does not exist.
        """
        if not isinstance(name, str):
            raise ValidationException(f"outer takes the name of a column, outer('id'), but was given {name!r:.100}.")
        column = self._query.operation.schema.column(name)
        return Expression(OuterReference(column.name, column.data_type))

    # --- two tables ---------------------------------------------------------------------------------------------------

    def join(self, right: Table, join_predicate: Expression[bool] | None = None) -> Table:
        """Pair the rows of two tables for which the predicate is TRUE; without one, return the cross product.

        Raises:
            ValidationException: the tables share a column name; the message shows how to rename it.
        """
        return self._join(right, join.JoinType.INNER, join_predicate)

    def left_outer_join(self, right: Table, join_predicate: Expression[bool] | None = None) -> Table:
        """Like ``join``, but keep unmatched rows of the left table, with NULL in the right columns."""
        return self._join(right, join.JoinType.LEFT_OUTER, join_predicate)

    def right_outer_join(self, right: Table, join_predicate: Expression[bool]) -> Table:
        """Like ``join``, but keep unmatched rows of the right table, with NULL in the left columns."""
        return self._join(right, join.JoinType.RIGHT_OUTER, join_predicate)

    def full_outer_join(self, right: Table, join_predicate: Expression[bool]) -> Table:
        """Like ``join``, but keep unmatched rows of both tables, with NULL in the other table's columns."""
        return self._join(right, join.JoinType.FULL_OUTER, join_predicate)

    def as_of_join(
        self, right: Table, match_condition: Expression[bool], join_predicate: Expression[bool] | None = None
    ) -> Table:
        """Join each row with the row of another table that is closest to it, such as the last price before a trade.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col
        >>> te = TableEnvironment.create()
        >>> trades = te.from_elements([("ACME", 12), ("ACME", 20)], ["stock", "at"])
        >>> prices = te.from_elements([("ACME", 10, 1.5), ("ACME", 15, 1.7)], ["of", "since", "price"])
        >>> last = trades.as_of_join(prices, col("at") >= col("since"), col("stock") == col("of"))
        >>> last.get_schema().get_field_names()
        ['stock', 'at', 'of', 'since', 'price']

        Args:
            right: the table in which the closest row is sought.
            match_condition: a comparison of a value of this table with one of the other by ``>=``, ``>``, ``<=`` or
                ``<``. Among the rows for which it is TRUE, the closest value is that of the row taken. Of several rows
                with that value, Spark takes any.
            join_predicate: what else must be TRUE of the two rows, mostly that keys are equal. Without one, all rows
                of the other table are candidates, and Spark joins in one task.

        Raises:
            ValidationException: the tables share a column name, or a condition is not supported; Spark has as-of joins
                from version 4.3 on.
        """
        return self._as_of_join(right, join.JoinType.INNER, match_condition, join_predicate, "as_of_join")

    def left_outer_as_of_join(
        self, right: Table, match_condition: Expression[bool], join_predicate: Expression[bool] | None = None
    ) -> Table:
        """Like ``as_of_join``, but keep rows of the left table without a match, with NULL in the right columns."""
        kind = join.JoinType.LEFT_OUTER
        return self._as_of_join(right, kind, match_condition, join_predicate, "left_outer_as_of_join")

    def _as_of_join(
        self, right: Table, kind: JoinType, match: Expression[bool], predicate: Expression[bool] | None, method: str
    ) -> Table:
        other = self._unwrap_other(right, method)
        (comparison,) = unwrap_arguments((match,), method)
        condition = None if predicate is None else unwrap_arguments((predicate,), method)[0]
        made = as_of.join_as_of(self._query.operation, other, kind, comparison, condition, self._query.lookup)
        return Table(self._query.next(made, right._query.names))

    def _join(self, right: Table, kind: JoinType, predicate: Expression[bool] | None) -> Table:
        other = self._unwrap_other(right, "join")
        condition = None if predicate is None else unwrap_arguments((predicate,), "join")[0]
        made = joins.join_tables(self._query.operation, other, kind, condition, self._query.lookup)
        return Table(self._query.next(made, right._query.names))

    def join_lateral(
        self,
        table_function_call: Expression[Any] | UserDefinedFunctionWrapper | Table,
        join_predicate: Expression[bool] | None = None,
    ) -> Table:
        """Join each row with the rows that a table function returns for it; drop a row for which there is none.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import call, col
        >>> te = TableEnvironment.create()
        >>> products = te.from_elements([("pen", ["blue", "fine"])], ["product", "tags"])
        >>> products.join_lateral(call("explode", col("tags")).alias("tag")).get_schema().get_field_names()
        ['product', 'tags', 'tag']

        Args:
            table_function_call: a call whose arguments may be columns of this table; ``alias`` renames its columns. Or
                a user-defined table function itself, which then gets the whole row as its argument. Or a table that
                refers to the row by ``outer``.
            join_predicate: the rows to keep; by default all.

        Raises:
            ValidationException: the argument is not a call of a table function, or a name of its columns already
                exists.
        """
        return self._join_lateral(table_function_call, join.JoinType.INNER, join_predicate, "join_lateral")

    def left_outer_join_lateral(
        self,
        table_function_call: Expression[Any] | UserDefinedFunctionWrapper | Table,
        join_predicate: Expression[bool] | None = None,
    ) -> Table:
        """Like ``join_lateral``, but keep rows for which the function returns no row, with NULL in its columns."""
        return self._join_lateral(
            table_function_call, join.JoinType.LEFT_OUTER, join_predicate, "left_outer_join_lateral"
        )

    def _join_lateral(self, right: Any, kind: JoinType, predicate: Any, method: str) -> Table:
        if isinstance(right, Table):
            self._unwrap_other(right, method)
        (called,) = unwrap_arguments((call_with_row(right, self._query.operation.schema.names),), method)
        condition = None if predicate is None else unwrap_arguments((predicate,), method)[0]
        made = lateral.join_lateral(self._query.operation, called, kind, condition, self._query.lookup, method)
        return Table(self._query.next(made, right._query.names if isinstance(right, Table) else NO_NAMES))

    def flat_map(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> Table:
        """Replace each row by the rows that a table function returns for it.

        Args:
            func: a call whose arguments may be columns of this table; ``alias`` renames its columns. Or a user-defined
                table function itself, which then gets the whole row as its argument.

        Raises:
            ValidationException: the argument is not a call of a table function.
        """
        (called,) = unwrap_arguments((call_with_row(func, self._query.operation.schema.names),), "flat_map")
        return Table(self._query.next(lateral.flat_map(self._query.operation, called, self._query.lookup)))

    def partition_by(self, *fields: Expression[Any]) -> PartitionedTable:
        """Partition this table for a process table function, which sees the rows of a partition together.

        Args:
            fields: columns or other expressions; rows with equal values are in one partition, and NULL equals NULL.

        Raises:
            ValidationException: no expression is given, or one does not exist or cannot be compared.
        """
        keys = unwrap_arguments(fields, "partition_by")
        if not keys:
            raise ValidationException("partition_by needs at least one expression.")
        partitioned_table.check_keys_of(self._query, keys, "partition_by")
        return partitioned_table.PartitionedTable(self._query, keys)

    def process(self, f: TableCallable, /, *arguments: Any, **named: Any) -> Table:
        """Return the result of a process table function whose first argument is this table.

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
            f: the function's name or path, its class, or an instance of the class.
            arguments: the arguments after this table: tables, expressions or constants.
            named: named arguments, including ``on_time`` and ``uid``, which every such function accepts.

        Raises:
            FunctionNotExistException: the function does not exist.
            ValidationException: the function is not a process table function, or the call is invalid.
            TableException: the call is not supported.
        """
        return self._query.environment.fluent.from_call(f, self, *arguments, **named)  # type: ignore[no-any-return]  # a table

    def from_changelog(
        self,
        *arguments: Any,
        op: str | Expression[Any] | None = None,
        op_mapping: Mapping[str, str] | Expression[Any] | None = None,
    ) -> Table:
        """Return the changelog of a table whose rows have codes of changes, such as ``c``, ``u`` and ``d``.

        The kind of each row is in the first column, ``op``: INSERT, UPDATE_BEFORE, UPDATE_AFTER or DELETE. The column
        of codes is left out. A row whose code has no kind fails.

        >>> from tableapi import TableEnvironment
        >>> te = TableEnvironment.create()
        >>> feed = te.declare("feed", {"code": "STRING", "id": "BIGINT", "amount": "DECIMAL(10, 2)"})
        >>> kinds = {"c, r": "INSERT", "u": "UPDATE_AFTER", "d": "DELETE"}
        >>> feed.from_changelog(op="code", op_mapping=kinds).get_resolved_schema().names
        ('op', 'id', 'amount')

        Args:
            arguments: the arguments as PyFlink takes them: ``descriptor("code").as_argument("op")``, and a map as
                ``op_mapping``.
            op: the column of codes, by default ``op``.
            op_mapping: the kind of each code. A key may list several codes, separated by commas. By default, the codes
                are the kinds.

        Raises:
            ValidationException: the column does not exist or is no STRING, or the mapping is invalid.

        Source: FLIP-564, ``FROM_CHANGELOG``.
        """
        made = changelogs.call_changelog_function(self._query, "from_changelog", arguments, op, op_mapping)
        return Table(self._query.next(made))

    def to_changelog(
        self,
        *arguments: Any,
        op: str | Expression[Any] | None = None,
        op_mapping: Mapping[str, str] | Expression[Any] | None = None,
    ) -> Table:
        """Return a changelog as rows with codes of changes, for systems that have codes of their own.

        The kinds are read from the column ``op``. Without this column, all rows are insertions.

        >>> from tableapi import TableEnvironment
        >>> te = TableEnvironment.create()
        >>> changes = te.declare("changes", {"op": "STRING", "id": "BIGINT"})
        >>> codes = {"INSERT, UPDATE_AFTER": "upsert", "DELETE": "delete"}
        >>> print(changes.to_changelog(op="action", op_mapping=codes).get_resolved_schema().names)
        ('action', 'id')

        Args:
            arguments: the arguments as PyFlink takes them: ``descriptor("action").as_argument("op")``, and a map as
                ``op_mapping``.
            op: the name of the column of codes, by default ``op``. It becomes the first column.
            op_mapping: the code of each kind. A key may list several kinds, separated by commas. Rows of other kinds
                are left out. By default, the codes are the kinds.

        Raises:
            ValidationException: the mapping is invalid, another column has the name, or the table is a stream whose
                rows change without kinds.

        Source: FLIP-564, ``TO_CHANGELOG``.
        """
        made = changelogs.call_changelog_function(self._query, "to_changelog", arguments, op, op_mapping)
        return Table(self._query.next(made))

    def apply_changelog(self, *keys: Expression[Any], order_by: Expression[Any] | Sequence[Expression[Any]]) -> Table:
        """Return the current rows of a changelog: of each key the last one, unless that is a DELETE.

        Rows of the kind UPDATE_BEFORE are ignored. So a change of a key is written as a DELETE and an INSERT.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col
        >>> te = TableEnvironment.create()
        >>> changes = te.declare("changes", {"op": "STRING", "id": "BIGINT", "version": "BIGINT", "amount": "INT"})
        >>> changes.apply_changelog(col("id"), order_by=col("version")).get_resolved_schema().names
        ('id', 'version', 'amount')

        Args:
            keys: the columns that identify a row.
            order_by: the order of the changes of a row, the oldest first. Of two changes at the same place either one
                may be the last.

        Raises:
            ValidationException: the table has no STRING column ``op``, is a stream, or an expression is invalid.
        """
        return Table(self._query.next(changelogs.apply_changelog(self._query, keys, order_by)))

    def as_argument(self, name: str) -> PartitionedTable:
        """Pass this table as a named argument of a process table function.

        Raises:
            ValidationException: the name is not a string, or is empty.
        """
        return partitioned_table.PartitionedTable(self._query).as_argument(name)

    def union(self, right: Table) -> Table:
        """Return the distinct rows of both tables; columns are matched by position."""
        return self._combine(right, set_operation.SetOperationType.UNION, False)

    def union_all(self, right: Table) -> Table:
        """Return all rows of both tables; columns are matched by position."""
        return self._combine(right, set_operation.SetOperationType.UNION, True)

    def intersect(self, right: Table) -> Table:
        """Return the distinct rows that are in both tables."""
        return self._combine(right, set_operation.SetOperationType.INTERSECT, False)

    def intersect_all(self, right: Table) -> Table:
        """Return the rows that are in both tables, each with the smaller of its two counts."""
        return self._combine(right, set_operation.SetOperationType.INTERSECT, True)

    def minus(self, right: Table) -> Table:
        """Return the distinct rows of this table that are not in the right table."""
        return self._combine(right, set_operation.SetOperationType.MINUS, False)

    def minus_all(self, right: Table) -> Table:
        """Subtract the right table's rows, counting duplicates: three equal rows minus one leave two."""
        return self._combine(right, set_operation.SetOperationType.MINUS, True)

    def _combine(self, right: Table, kind: SetOperationType, keep_duplicates: bool) -> Table:
        other = self._unwrap_other(right, kind.value.lower())
        made = set_operations.combine_sets(self._query.operation, other, kind, keep_duplicates)
        return Table(self._query.next(made, right._query.names))

    def _unwrap_other(self, right: Any, method: str) -> QueryOperation:
        if not isinstance(right, Table):
            raise ValidationException(f"{method} takes a table, but was given {misused_members.describe_given(right)}.")
        if right._query.environment is not self._query.environment:
            raise ValidationException(f"{method} takes a table of the same environment, but was given one of another.")
        return right._query.operation

    # --- description --------------------------------------------------------------------------------------------------

    @property
    def query_operation(self) -> QueryOperation:
        """The tree of operations of this query."""
        return self._query.operation

    def get_schema(self) -> TableSchema:
        """Return the columns as a ``TableSchema``."""
        return table_schema.TableSchema(self._query.operation.schema)

    def get_resolved_schema(self) -> ResolvedSchema:
        """Return the columns as a ``ResolvedSchema``."""
        return self._query.operation.schema

    def print_schema(self) -> None:
        """Print the columns, one per line."""
        columns = [f"  {column!r}" for column in self._query.operation.schema.columns]
        print("\n".join(["(", ",\n".join(columns), ")"]) if columns else "()")

    def as_serializable_string(
        self,
        dialect: Dialect | DialectName = Dialect.SPARK,
        layout: Layout | LayoutName = Layout.NESTED,
        target: str | None = None,
        quoting: Quoting | QuotingName = Quoting.ALL,
    ) -> str:
        """Return the query as SQL, which this environment parses to the same query.

        For an older target than the newest Spark, what the target lacks is replaced by an equivalent, and the text is
        parsed to the query with these replacements.

        >>> from tableapi import TableEnvironment
        >>> env = TableEnvironment.create()
        >>> days = env.sql_query("SELECT DAYNAME(DATE '2024-02-29') AS day")
        >>> print(days.as_serializable_string(target="spark-3.5"))
        SELECT DATE_FORMAT(DATE '2024-02-29', 'EEE') AS `day`

        If a temporary system function hides a built-in function, the SQL calls the built-in function
        ``system.builtin.f``.

        Views are stored with the quotes that are needed:

        >>> print(days.as_serializable_string("SPARK", "MERGED", quoting="NEEDED"))
        SELECT DAYNAME(DATE '2024-02-29') AS day

        Args:
            dialect: ``Dialect.SPARK``, which Spark runs, or ``Dialect.FLINK``, or the name of one.
            layout: ``Layout.NESTED``, one SELECT for each operation, or ``Layout.MERGED``, which merges operations
                into as few SELECTs as possible. MERGED is the layout that Spark runs and ``create_view`` stores, and
                requires the dialect SPARK.
            target: the engine that runs the text, such as ``spark-4.0``; by default the target of the environment.
            quoting: ``Quoting.ALL``, which quotes every name, or ``Quoting.NEEDED``, which quotes the names that some
                supported version of Spark does not understand otherwise. Texts for Flink and Sail quote every name.

        Raises:
            ValidationException: the dialect, layout, target or quoting does not exist.
            TableException: a part of the query has no SQL form with the same meaning in the dialect, or the target
                lacks it.
        """
        environment = self._query.environment
        with hiding(environment.runtime.functions.hiding_names()), self._query.naming():
            chosen = target or environment.runtime.target_of(dialect)
            return self._query.operation.as_serializable_string(dialect, layout, chosen, quoting)

    def as_summary_string(self) -> str:
        """Return the tree of operations, one per line, inputs indented."""
        return self._query.operation.as_summary_string()

    def to_python(self, environment: str = "env", name: str = "result", *, line_length: int = 100) -> str:
        """Return Python code that builds the query: imports, tables that are used several times, then the query.

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

        In an environment with the same tables, the code gives an equal query. It is formatted like ``ruff format`` and
        names tables by the shortest paths that identify them in this environment.

        Args:
            environment: the variable that holds the environment.
            name: the variable to which the code assigns the table.
            line_length: the maximum length of a line, where a line can be broken.

        Raises:
            ValidationException: a name is not a valid Python name.
            TableException: the query reads data that exists only in this process, or contains a construct that no
                fluent call makes, as a query written in SQL may. The message names it.
        """
        with suppress_notices(), hiding(self._query.environment.runtime.functions.hiding_names()):
            return script.python_script(self._query, environment, name, line_length)

    def lineage(self) -> Lineage:
        """Return which columns of tables and views influence the columns and rows of the table, and how.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col
        >>> env = TableEnvironment.create()
        >>> rows = [(1, "paid", 20), (2, "open", 5)]
        >>> env.create_temporary_view("orders", env.from_elements(rows, ["id", "status", "amount"]))
        >>> paid = env.from_path("orders").filter(col("status") == "paid").select(col("amount").sum.alias("total"))
        >>> paid.lineage()
        total
         1  orders.amount  aggregation
        (rows)
         1  orders.status  filter (rows)

        A notebook shows it as a picture. It follows views, and needs no Spark unless a view is in Spark's catalog.

        Raises:
            TableException: the text of a view that the query reads cannot be read.
        """
        return definitions.lineage_of(self._query.operation, self._query.environment)

    def to_tree_json(self) -> str:
        """Return the typed tree of the query as a JSON document, for programs in any language.

        ``TableEnvironment.from_tree_json`` reads it. The document also has the names that a person gave to relations in
        SQL. The page ``tree-json`` of the documentation describes it.

        >>> from tableapi import TableEnvironment
        >>> env = TableEnvironment.create()
        >>> days = env.sql_query("SELECT DAYNAME(DATE '2024-02-29') AS day")
        >>> env.from_tree_json(days.to_tree_json()).query_operation is days.query_operation
        True

        Raises:
            TableException: the query reads anonymous data of this process, or calls a function without a name. The
                message says how to give it one.
        """
        return tree_writing.write_tree(self._query.operation, self._query.names)

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the tree of operations, the SQL and, if the session already runs, Spark's plan.

        Args:
            extra_details: further sections; see ``ExplainDetail``.
        """
        return self._query.explain(*extra_details)

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print what ``explain`` returns."""
        print(self.explain(*extra_details))

    # --- results ------------------------------------------------------------------------------------------------------

    def execute(self) -> TableResult:
        """Run the query once and return its rows, which are fetched on demand.

        A small result is complete when this method returns. A large result is computed up to its first part, and the
        rest during iteration; some tens of megabytes are in memory at a time, or one partition if it is larger.

        Raises:
            TableException: the query fails; the message names the operation, Spark's condition and SQLSTATE. A failure
                in a later part is raised when iteration reaches that part.
        """
        return self._query.execute()

    def to_arrow(self) -> pyarrow.Table:
        """Run the query and return its rows as an Arrow table."""
        return self._query.arrow()

    def to_arrow_batch_reader(self) -> pyarrow.RecordBatchReader:
        """Run the query once and return its rows as Arrow batches, which are fetched on demand.

        The types are the ones of ``to_arrow``, and memory use is the one of ``execute``. Rows that are not read are
        not computed.

        Raises:
            TableException: as for ``execute``.

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
        """Return the query as a DataFrame of the environment's Spark session.

        A query over a stream gives a streaming DataFrame, which its ``writeStream`` starts.

        Raises:
            TableException: Spark rejects the query, or the query uses an operation that streams do not support.
        """
        with self._query.naming():
            return self._query.environment.execution.dataframe(self._query.operation)

    # --- caching ------------------------------------------------------------------------------------------------------

    def cache(self, storage_level: StorageLevelName | StorageLevel | None = None) -> Self:
        """Cache the rows in Spark, so that queries built on this table compute them once. Starts Spark.

        Caching is lazy: the first query that reads the rows stores them. The table, its SQL and its views do not
        change. Every query of this environment reads the cached rows for any part that equals this table. Therefore, a
        user-defined function or ``rand()`` in it has one value for all queries. Permanent views do not read the cache,
        because other programs must see the same rows.

        An insert of this session into an underlying table invalidates the cache. Writes of other sessions are
        invisible until ``uncache``.

        Args:
            storage_level: ``"MEMORY_AND_DISK_DESER"``, Spark's default, ``"DISK_ONLY"`` or another name or object of
                ``pyspark.StorageLevel``. A table that is already cached keeps its level unless one is given.

        Returns:
            This table.

        Raises:
            ValidationException: the level does not exist, or two columns have the same name.
            TableException: Spark rejects the query, or the query is over a stream, whose rows cannot be cached.

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
        """Remove the rows from Spark's cache; do nothing if the table is not cached.

        Queries compute the rows again from then on.

        Returns:
            This table.

        Raises:
            TableException: Spark fails.
        """
        started = self._query.environment.runtime.started
        if started is not None:
            started.cached.remove(self._query.operation)
        return self

    @property
    def is_cached(self) -> bool:
        """Whether ``cache`` was called for this or an equal table, so that the first query stores the rows."""
        started = self._query.environment.runtime.started
        return started is not None and self._query.operation in started.cached

    # --- writing ------------------------------------------------------------------------------------------------------

    def execute_insert(
        self,
        table_path_or_descriptor: str | TableDescriptor,
        overwrite: bool = False,
        *,
        partition: Mapping[str, Any] | None = None,
        columns: Sequence[str] | None = None,
        options: StreamOptions | None = None,
    ) -> TableResult:
        """Append the rows to a table, or overwrite the table's rows; columns are matched by position.

        Over a stream, this starts a query that writes until it is stopped, and returns while it runs.

        Args:
            table_path_or_descriptor: the path of the table, or a descriptor of files.
            overwrite: whether to replace the rows of the table; in a partitioned table, only the partitions that get
                rows.
            partition: constant values of partition keys, for which the rows then have no column.
            columns: the table's columns that the rows supply, in order; the others get their default or NULL.
            options: how a query over a stream runs.

        Raises:
            TableNotExistException: the table does not exist.
            ValidationException: the columns do not fit the table's columns, or the options do not fit the query;
                nothing is written.
            TableException: the insert fails.
        """
        pipeline = self.insert_into(table_path_or_descriptor, overwrite, partition=partition, columns=columns)
        return pipeline.execute(options=options)

    def for_each_batch(
        self, function: Callable[[Table, int], None], *, options: StreamOptions | None = None
    ) -> TableResult:
        """Start a query over a stream that calls a function with the rows of each batch, and return while it runs.

        The function runs in this process. If it raises, the query ends, and the same batch comes again after a restart:
        with a name or a checkpoint, the function gets each batch at least once. PyFlink has no such method.

        Args:
            function: is called with the table of the rows, and the number of the batch from 0.
            options: how the query runs.

        Raises:
            ValidationException: the function is not callable, the rows have an end, or the options do not fit the
                query.
            TableException: Spark rejects the query.

        Examples:
            table.for_each_batch(lambda rows, batch: print(batch, rows.to_pandas())).wait()
        """
        if not callable(function):
            raise ValidationException(f"for_each_batch takes a function, but was given {function!r:.200}.")
        given = stream_options.require_options(options)
        if not self._query.is_stream:
            raise ValidationException(
                "for_each_batch is for streams, and the rows of this query have an end: call the function with the "
                "table."
            )
        name = getattr(function, "__qualname__", type(function).__qualname__)
        with self._query.naming():
            streams = self._query.environment.streams
            running = streams.start_function(self._query.operation, function, name, given)
        return results.TableResult.of_sinks([name], [running])

    def insert_into(
        self,
        table_path_or_descriptor: str | TableDescriptor,
        overwrite: bool = False,
        *,
        partition: Mapping[str, Any] | None = None,
        columns: Sequence[str] | None = None,
    ) -> TablePipeline:
        """Return an insert of the rows into a table, which writes when it is executed.

        The arguments are those of ``execute_insert``.

        Raises:
            ValidationException: the columns do not fit the table's columns.
        """
        return table_pipeline.TablePipeline(self._query, table_path_or_descriptor, overwrite, partition, columns)

    # --- internals ----------------------------------------------------------------------------------------------------

    def _group(self, grouping: Grouping) -> GroupedTable:
        return grouped_table.GroupedTable(self._query, grouping)

    def _column(self, name: str) -> Expression[Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        schema = self._query.operation.schema
        if schema.index_of(name) is None:
            unknown_members.reraise_of_property(self, name)
            raise unknown_members.make_column_error(type(self), schema.names, name)
        return Expression(UnresolvedReference(schema.column(name).name))

    if not TYPE_CHECKING:
        # Hidden from type checkers, which would otherwise accept a misspelt method as a column.
        __getattr__ = _column


def query_of(table: Table) -> Query:
    """Return the query of a table."""
    return table._query


def own_query(environment: EnvironmentParts, table: Any, method: str) -> Query:
    """Return the query of a table that was passed to a method of an environment.

    Raises:
        ValidationException: the argument is not a table, is a table of another environment, or refers to an outer
            query.
    """
    if not isinstance(table, Table):
        raise _make_not_own_error(table, method)
    return require_own(environment, table._query, method)


def require_own(environment: EnvironmentParts, query: Query, method: str) -> Query:
    """Return a query that was passed to a method of an environment.

    Raises:
        ValidationException: the query is of another environment, or refers to an outer query.
    """
    if query.environment is not environment:
        raise _make_not_own_error(Table(query), method)
    outer_references.require_no_outer_references(query.operation)
    return query


def _make_not_own_error(given: Any, method: str) -> ValidationException:
    return ValidationException(
        f"{method} takes a table of this environment, but was given {misused_members.describe_given(given)}."
    )
