"""Convert queries to PySpark's DataFrame API, operation by operation, as a person would write them.

Where a person would write SQL, in the expressions of ``selectExpr``, ``filter`` and ``expr``, the conversion uses the
text of single expressions. It does not use the layouts of whole queries, since their plans are what the tests compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import count

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.group import GroupedData

from ir.call_expressions import Call
from ir.contents import OUTER, OVER, QUERY, TIME_WINDOW
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.identifiers import quote
from ir.operations.aggregate import Aggregate, cube_sets, rollup_sets
from ir.operations.as_of_join import AsOfJoin
from ir.operations.engine import EngineFunction
from ir.operations.filter import Distinct, Filter
from ir.operations.hint import Hint, Sample
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.nearest_join import NearestJoin
from ir.operations.no_columns import NoColumns
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import outer_references
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.pivot import Pivot, Unpivot
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.recursion import Recursion, RecursiveReference
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.operations.source import SINGLE_ROW, InlineSource, Source, Values
from ir.rewriting import replace
from tests.plans.columns import Columns, NoCounterpart, subqueries_replaced, text

_JOINS = {
    JoinType.INNER: "inner",
    JoinType.LEFT_OUTER: "left",
    JoinType.RIGHT_OUTER: "right",
    JoinType.FULL_OUTER: "full",
}
_WITHOUT = {
    AsOfJoin: "as-of joins, for which pandas on Spark builds a nested loop",
    ProcessTable: "process table functions",
    Recursion: "recursive queries",
    RecursiveReference: "recursive queries",
    EngineFunction: "functions over tables",
    InlineSource: "data of this process",
}
_NO_COLUMNS: Mapping[str, str] = {}


def dataframe_of(operation: QueryOperation, session: SparkSession) -> DataFrame:
    """Return the DataFrame that is equivalent to a query.

    Raises:
        NoCounterpart: the DataFrame API has no equivalent of the query.
    """
    return _Query(session, _NO_COLUMNS, count()).frame(operation)


class _Query:
    """Convert a query; the converter of a subquery knows the aliases of the outer DataFrames."""

    def __init__(self, session: SparkSession, around: Mapping[str, str], numbers: count[int]) -> None:
        self._session = session
        self._around = around
        self._numbers = numbers

    def frame(self, root: QueryOperation) -> DataFrame:
        made: dict[QueryOperation, DataFrame] = {}
        operations = list(root.walk())
        readers = Counter(input for operation in operations for input in operation.inputs)
        for operation in operations:
            if isinstance(operation, Project) and readers[operation.input] == 1 and _is_said_by_agg(operation):
                # An expression over aggregates is an argument of agg, like the aggregates in it.
                made[operation] = self.project_of_groups(operation, made[operation.input.inputs[0]])
                continue
            write = _WRITERS.get(type(operation))
            if write is None:
                raise NoCounterpart(_WITHOUT[type(operation)])
            made[operation] = write(self, operation, *[made[input] for input in operation.inputs])
        return made[root]

    # --- inputs for expressions --------------------------------------------------------------------------------------

    def _with_aliases(self, operation: QueryOperation, *frames: DataFrame) -> tuple[Columns, list[DataFrame]]:
        """Return the Columns of an operation, and its inputs with an alias where a subquery refers to them."""
        referred = {r.name for query in operation.subqueries for r in outer_references(query)}
        aliases: dict[str, str] = {}
        named = list(frames)
        for position, (frame, input) in enumerate(zip(frames, operation.inputs, strict=True)):
            used = referred.intersection(input.schema.names)
            if used:
                alias = f"frame_{next(self._numbers)}"
                aliases |= dict.fromkeys(used, alias)
                named[position] = frame.alias(alias)

        def frame_of(query: TableReference) -> DataFrame:
            return _Query(self._session, aliases, self._numbers).frame(query.operation)

        return Columns(self._around, frame_of), named

    def _with_subqueries_as_columns(
        self, operation: QueryOperation, frame: DataFrame, expressions: Sequence[ResolvedExpression]
    ) -> tuple[Columns, DataFrame, list[ResolvedExpression]]:
        """Move each subquery that cannot stay in its place to a new input column, and return the new expressions."""
        columns, (frame,) = self._with_aliases(operation, frame)
        added: dict[ResolvedExpression, FieldReference] = {}
        computed = [e if columns.is_column(e) else subqueries_replaced(e, added) for e in expressions]
        if added:
            frame = frame.withColumns({field.name: columns.column(part) for part, field in added.items()})
        return columns, frame, computed

    # --- sources -----------------------------------------------------------------------------------------------------

    def source(self, source: Source) -> DataFrame:
        if source.version is not None or source.timestamp is not None:
            raise NoCounterpart("tables as they were at a version")
        # An alias, because a column may have the name of its table.
        table = self._session.table(".".join(map(quote, source.identifier.parts)))
        return table.alias("given table")

    def values(self, values: Values) -> DataFrame:
        if values is SINGLE_ROW:
            return self._session.sql("SELECT *")
        names = ", ".join(map(quote, values.schema.names))
        nothing = tuple([ValueLiteral(None, c.data_type.as_nullable()) for c in values.schema.columns])
        rows = [f"({', '.join(text(value, _NO_COLUMNS) for value in row)})" for row in values.rows or [nothing]]
        frame = self._session.sql(f"SELECT * FROM VALUES {', '.join(rows)} AS given({names})")
        return frame if values.rows else frame.limit(0)

    # --- operations with one input -----------------------------------------------------------------------------------

    def project(self, project: Project, frame: DataFrame) -> DataFrame:
        columns, frame, projections = self._with_subqueries_as_columns(project, frame, project.projections)
        texts = [columns.text(projection) for projection in projections]
        if all(texts):
            named = zip(texts, map(quote, project.names), strict=True)
            return frame.selectExpr(*[name if t == name else f"{t} AS {name}" for t, name in named])
        return frame.select(
            *[columns.column(p).alias(name) for p, name in zip(projections, project.names, strict=True)]
        )

    def no_columns(self, operation: NoColumns, frame: DataFrame) -> DataFrame:
        return frame.select()

    def project_of_groups(self, project: Project, frame: DataFrame) -> DataFrame:
        aggregate = project.input
        assert isinstance(aggregate, Aggregate)
        keys, expressions = aggregate.group_keys, aggregate.group_keys + aggregate.aggregates

        def find(part: ResolvedExpression) -> ResolvedExpression | None:
            return expressions[part.index] if isinstance(part, FieldReference) else None

        columns = Columns(self._around, _no_subquery)
        computed = [replace(projection, find) for projection in project.projections]
        named = [columns.column(e).alias(name) for e, name in zip(computed, project.names, strict=True)]
        if not keys:
            return frame.select(*named)
        # The keys come first, and are not selected again.
        groups = frame.groupBy(*[columns.column(key).alias(f"key {n}") for n, key in enumerate(keys)])
        return groups.agg(*named).select(*map(quote, project.names))

    def filter(self, filter: Filter, frame: DataFrame) -> DataFrame:
        columns, (frame,) = self._with_aliases(filter, frame)
        return frame.filter(columns.text(filter.condition) or columns.column(filter.condition))

    def distinct(self, distinct: Distinct, frame: DataFrame) -> DataFrame:
        return frame.distinct()

    def aggregate(self, aggregate: Aggregate, frame: DataFrame) -> DataFrame:
        keys, sets = aggregate.group_keys, aggregate.grouping_sets
        columns, frame, given = self._with_subqueries_as_columns(aggregate, frame, (*keys, *aggregate.aggregates))
        names, width = aggregate.names, len(keys)
        named = [columns.column(e).alias(name) for e, name in zip(given, names, strict=True)]
        key_columns = [columns.column(key) for key in given[:width]]
        computed = named[width:]
        if sets is None:
            if not keys:
                return frame.select(*computed)
            # An aggregation with only keys returns the distinct keys.
            if not computed:
                return frame.groupBy(*named).agg(f.lit(1).alias("unused")).select(*map(quote, names))
            return frame.groupBy(*named[:width]).agg(*computed)
        grouped = _grouped_by_sets(frame, key_columns, sets)
        if not computed:
            return grouped.agg(f.lit(1)).toDF(*names, "unused").select(*map(quote, names))
        return grouped.agg(*computed).toDF(*names)

    def pivot(self, pivot: Pivot, frame: DataFrame) -> DataFrame:
        columns = Columns(self._around, _no_subquery)
        parts = [f.expr(quote(column.name)) for column in pivot.pivot_columns]
        pivoted = parts[0] if len(parts) == 1 else f.struct(*parts)
        values = []
        for value in pivot.values:
            constants = [columns.column(part) for part in value]
            values.append((constants[0] if len(constants) == 1 else f.struct(*constants))._jc)
        keys = frame.groupBy(*[f.expr(quote(key.name)) for key in pivot.group_columns])
        # PySpark's pivot accepts a name and plain values; the JVM's also accepts Columns.
        cells = GroupedData(keys._jgd.pivot(pivoted._jc, values), frame)
        return cells.agg(*[columns.column(aggregate) for aggregate in pivot.aggregates]).toDF(*pivot.schema.names)

    def unpivot(self, unpivot: Unpivot, frame: DataFrame) -> DataFrame:
        kept = [quote(column.name) for column in unpivot.kept_columns]
        # A DataFrame labels columns by their names, so that labels are equal only in STACK.
        if len(unpivot.value_columns) == 1 and len(set(unpivot.labels)) == len(unpivot.labels):
            columns = [group[0] for group in unpivot.groups]
            renamed = {c.name: label for c, label in zip(columns, unpivot.labels, strict=True) if c.name != label}
            frame = frame.withColumnsRenamed(renamed) if renamed else frame
            values = [quote(label) for label in unpivot.labels]
            return frame.unpivot(kept, values, unpivot.label_column, unpivot.value_columns[0])
        types = [column.data_type.as_serializable_string() for column in unpivot.schema.columns[len(kept) + 1 :]]
        rows = []
        for label, group in zip(unpivot.labels, unpivot.groups, strict=True):
            cells = [f"CAST({quote(c.name)} AS {t})" for c, t in zip(group, types, strict=True)]
            rows += [text(ValueLiteral(label, unpivot.schema.columns[len(kept)].data_type), _NO_COLUMNS), *cells]
        names = ", ".join(map(quote, (unpivot.label_column, *unpivot.value_columns)))
        return frame.selectExpr(*kept, f"STACK({len(unpivot.groups)}, {', '.join(rows)}) AS ({names})")

    def sort(self, sort: Sort, frame: DataFrame) -> DataFrame:
        columns, (frame,) = self._with_aliases(sort, frame)
        if sort.order:
            frame = frame.orderBy(*map(columns.order, sort.order))
        if sort.offset is not None:
            frame = frame.offset(sort.offset)
        return frame if sort.fetch is None else frame.limit(sort.fetch)

    # --- hints -------------------------------------------------------------------------------------------------------

    def hint(self, hint: Hint, frame: DataFrame) -> DataFrame:
        columns = [f.expr(quote(column.name)) for column in hint.columns]
        number = [] if hint.partitions is None else [hint.partitions]
        match hint.name:
            case "COALESCE":
                return frame.coalesce(*number)
            case "REPARTITION" if number or columns:
                return frame.repartition(*number, *columns)
            case "REPARTITION_BY_RANGE" if columns:
                return frame.repartitionByRange(*number, *columns)
        return frame.hint(hint.name, *number, *columns)

    def sample(self, sample: Sample, frame: DataFrame) -> DataFrame:
        return frame.sample(float(sample.percent / 100), sample.seed)

    def distribute(self, distribute: Distribute, frame: DataFrame) -> DataFrame:
        columns, (frame,) = self._with_aliases(distribute, frame)
        return frame.repartition(*map(columns.column, distribute.keys))

    def sort_partitions(self, sort: SortPartitions, frame: DataFrame) -> DataFrame:
        columns, (frame,) = self._with_aliases(sort, frame)
        return frame.sortWithinPartitions(*map(columns.order, sort.order))

    # --- operations with two inputs ----------------------------------------------------------------------------------

    def join(self, join: Join, left: DataFrame, right: DataFrame) -> DataFrame:
        columns, (left, right) = self._with_aliases(join, left, right)
        if join.condition is not None and join.condition.contents & OUTER:
            # PySpark resolves the columns of a join condition at once, without the outer query.
            if join.join_type is not JoinType.INNER:
                raise NoCounterpart("an outer join by columns of the query around")
            return left.join(right).filter(columns.column(join.condition))
        if join.condition is not None:
            return left.join(right, columns.column(join.condition), _JOINS[join.join_type])
        if join.join_type is JoinType.INNER:
            # Avoid crossJoin, which stays a cross join even below a filter with a join condition.
            return left.join(right)
        return left.join(right, f.lit(True), _JOINS[join.join_type])

    def nearest_join(self, join: NearestJoin, left: DataFrame, right: DataFrame) -> DataFrame:
        columns, (left, right) = self._with_aliases(join, left, right)
        how = (join.search.value.lower(), join.measure.value.lower())
        kind = "inner" if join.join_type is JoinType.INNER else "leftouter"
        return left.nearestByJoin(right, columns.column(join.ranking), join.count, *how, joinType=kind)

    def set_operation(self, operation: SetOperation, left: DataFrame, right: DataFrame) -> DataFrame:
        if operation.contents & OUTER:
            raise NoCounterpart("a set operation that refers to the query around, for which PySpark does not wait")
        match operation.kind:
            case SetOperationType.UNION:
                both = left.union(right)
                return both if operation.all else both.distinct()
            case SetOperationType.INTERSECT:
                return left.intersectAll(right) if operation.all else left.intersect(right)
        return left.exceptAll(right) if operation.all else left.subtract(right)

    def lateral_join(self, join: LateralJoin, frame: DataFrame) -> DataFrame:
        columns, (frame,) = self._with_aliases(join, frame)
        if isinstance(join.right, Call):
            right = self._generated(join.right).toDF(*join.names)
            if join.input is SINGLE_ROW:
                return right
        else:
            assert isinstance(join.right, TableReference)
            right = columns.frame_of(join.right)
        condition = None if join.condition is None else columns.column(join.condition)
        return frame.lateralJoin(right, condition, _JOINS[join.join_type])

    def _generated(self, call: Call) -> DataFrame:
        """Return the rows of a table function for a row of the outer DataFrame."""
        write = getattr(self._session.tvf, call.function.sql_name.lower(), None)
        if not call.function.is_built_in or write is None:
            raise NoCounterpart("table functions that PySpark has no method for")
        if call.function.sql_name == "RANGE":
            return write(*[argument.value for argument in call.arguments if isinstance(argument, ValueLiteral)])
        arguments = []
        for argument in call.arguments:
            if argument.contents & OUTER:
                raise NoCounterpart("table functions of columns of two queries around")
            column = f.expr(text(argument, self._around))
            is_outer = any(isinstance(part, FieldReference) for part in argument.walk())
            arguments.append(column.outer() if is_outer else column)
        return write(*arguments)


def _is_said_by_agg(project: Project) -> bool:
    """Whether a projection and its aggregation form one ``agg`` call, with generated names for the aggregates."""
    aggregate = project.input
    if not isinstance(aggregate, Aggregate) or aggregate.grouping_sets is not None:
        return False
    contents = 0
    for expression in (*project.projections, *aggregate.group_keys, *aggregate.aggregates):
        contents |= expression.contents
    generated = aggregate.names[len(aggregate.group_keys) :]
    has_time_window = any(key.contents & TIME_WINDOW for key in aggregate.group_keys)
    return (
        bool(generated)
        and all(name.startswith("EXPR$") for name in generated)
        and not contents & (QUERY | OVER)
        and not has_time_window
    )


def _grouped_by_sets(frame: DataFrame, keys: list[Column], sets: tuple[tuple[int, ...], ...]) -> GroupedData:
    if sets == rollup_sets(len(keys)):
        return frame.rollup(*keys)
    if sets == cube_sets(len(keys)):
        return frame.cube(*keys)
    return frame.groupingSets([[keys[position] for position in grouped] for grouped in sets], *keys)


def _no_subquery(query: TableReference) -> DataFrame:
    raise NoCounterpart("subqueries in a pivot")


_WRITERS: dict[type[QueryOperation], Callable[..., DataFrame]] = {
    Source: _Query.source,
    Values: _Query.values,
    Project: _Query.project,
    NoColumns: _Query.no_columns,
    Filter: _Query.filter,
    Distinct: _Query.distinct,
    Aggregate: _Query.aggregate,
    Pivot: _Query.pivot,
    Unpivot: _Query.unpivot,
    Sort: _Query.sort,
    Hint: _Query.hint,
    Sample: _Query.sample,
    Distribute: _Query.distribute,
    SortPartitions: _Query.sort_partitions,
    Join: _Query.join,
    NearestJoin: _Query.nearest_join,
    SetOperation: _Query.set_operation,
    LateralJoin: _Query.lateral_join,
}
