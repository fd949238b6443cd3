"""Checks of single operations, for facts that the constructors leave to the resolution of queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ir.call_expressions import Call
from ir.calls import is_aggregate
from ir.casts import differ_at_most_in_nullability, least_common_type
from ir.contents import EQUAL_NAMES
from ir.determinism import refuse_as_key_of_sets, refuse_in_aggregate, refuse_in_join, refuse_in_lateral
from ir.expressions import DescriptorLiteral, FieldReference, ResolvedExpression, SortOrder, ValueLiteral
from ir.functions.aggregate import GROUPING_ID, KEY_FUNCTIONS
from ir.functions.definition import FunctionKind
from ir.operations.aggregate import Aggregate
from ir.operations.as_of_join import AsOfJoin
from ir.operations.filter import Filter
from ir.operations.hint import Hint, hint_name
from ir.operations.join import Join, JoinType
from ir.operations.keys import require_groupable
from ir.operations.lateral import LateralJoin, lateral_join, right_columns
from ir.operations.nearest_join import NearestJoin
from ir.operations.no_columns import NoColumns
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.pivot import Pivot
from ir.operations.process import ProcessTable
from ir.operations.recursion import Recursion, RecursiveReference
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.operations.source import Source, StreamRead, Values
from ir.operations.watermark import Watermark
from ir.resolution.aggregation import refuse_nested
from ir.resolution.as_of import require_as_of_condition, require_match
from ir.resolution.joins import require_join_condition
from ir.resolution.nearest import require_ranking
from ir.resolution.operations import require_condition
from ir.resolution.partitions import require_distribution_keys
from ir.resolution.pivoting import require_aggregate
from ir.resolution.process.call import infer_process_table
from ir.resolution.process.tables import ResolvedTable
from ir.resolution.recursion import recursion, reference_to
from ir.resolution.set_operations import combine_sets
from ir.resolution.sorting import require_sort_keys
from ir.resolution.subqueries import require_lateral_query
from ir.schema import Column, ResolvedSchema, SchemaOfEqualNames
from ir.types import IntervalType, LocalZonedTimestampType, RowType
from serializer.tree_json.kinds import Record
from serializer.tree_json.mistakes import Mistake

# --- before an operation is made -------------------------------------------------------------------------------------

_INPUTS = ("input", "left", "right")
# Fields whose expressions refer to no columns.
_WITHOUT_COLUMNS = {
    ("Values", "rows"),
    ("Pivot", "values"),
    ("ProcessTable", "scalars"),
    ("Source", "timestamp"),
    ("Source", "changes"),
    ("Watermark", "delay"),
}


def find_scopes(called: str, field: str, values: Mapping[str, Any]) -> tuple[ResolvedSchema, ...]:
    """Return the schemas to whose columns the expressions of a field may refer, by input index."""
    if (called, field) in _WITHOUT_COLUMNS:
        return ()
    if called == "ProcessTable":
        return tuple([table.schema for table in values["tables"]])
    if called == "LateralJoin" and field == "condition":
        # Without the effect of the outer join, which follows the condition.
        columns = right_columns(values["right"])
        named = [Column(name, column.data_type) for name, column in zip(values["names"], columns, strict=True)]
        return (values["input"].schema, SchemaOfEqualNames(tuple(named)))
    # The other side of a lateral join is an expression over the input.
    return tuple([values[name].schema for name in _INPUTS if isinstance(values.get(name), QueryOperation)])


def _is_table_valued(right: ResolvedExpression) -> bool:
    if isinstance(right, TableReference):
        return True
    is_call = isinstance(right, Call) and right.function.kind is FunctionKind.TABLE
    return is_call and isinstance(right.data_type, RowType)


def check_counts(record: Record, values: Mapping[str, Any]) -> None:
    """Check that lists whose items correspond have the same length."""
    for what, count, beside in _COUNTS.get(record.name, lambda _: ())(values):
        if count != beside:
            raise Mistake(f"The {record.name} needs {beside} {what}, but {count} were given.")


def _count_lateral_join(v: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    if not _is_table_valued(v["right"]):
        raise Mistake("The right side of a LateralJoin is a call of a table function, or a TableReference.")
    return [("names", len(v["names"]), len(right_columns(v["right"])))]


def _count_process_table(v: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    signature = v["function"].process
    if signature is None:
        raise Mistake(f"{v['function'].sql_name} is not a process table function.")
    tables = len(signature.tables)
    for on_time, table in zip(v["on_time"], v["tables"], strict=False):
        if not 0 <= on_time < len(table.schema):
            raise Mistake(f"There is no column at position {on_time} of the table.")
    return [
        ("tables", len(v["tables"]), tables),
        ("partition_keys", len(v["partition_keys"]), tables),
        ("order_keys", len(v["order_keys"]), tables),
        ("scalars", len(v["scalars"]), len(signature.scalars)),
        ("on_time", len(v["on_time"]), tables if v["on_time"] else 0),
        ("state_types", len(v["state_types"]), len(signature.states)),
    ]


_COUNTS: dict[str, Callable[[Mapping[str, Any]], list[tuple[str, int, int]]]] = {
    "Project": lambda v: [("names", len(v["names"]), len(v["projections"]))],
    "Aggregate": lambda v: [("names", len(v["names"]), len(v["group_keys"]) + len(v["aggregates"]))],
    "Pivot": lambda v: [
        ("value_names", len(v["value_names"]), len(v["values"])),
        *[("parts of a value", len(value), len(v["pivot_columns"])) for value in v["values"]],
        *([("aggregate_names", len(v["aggregate_names"]), len(v["aggregates"]))] if len(v["aggregates"]) > 1 else []),
    ],
    "Unpivot": lambda v: [
        ("labels", len(v["labels"]), len(v["groups"])),
        *[("columns in a group", len(group), len(v["value_columns"])) for group in v["groups"]],
    ],
    "Script": lambda v: [("types", len(v["types"]), len(v["names"]))],
    "LateralJoin": _count_lateral_join,
    "ProcessTable": _count_process_table,
}

# --- the operation ---------------------------------------------------------------------------------------------------


def check_meaning(made: QueryOperation) -> None:
    """Check an operation.

    Raises:
        Mistake: the operation is invalid.
        TableException: the resolution of queries refuses the operation.
    """
    if any(read.schema.holds & EQUAL_NAMES for read in made.inputs):
        raise Mistake("Only the last projection of a query has columns of equal names.")
    check = _CHECKS.get(type(made))
    if check is not None:
        check(made)


def _require_same(made: QueryOperation, again: QueryOperation) -> None:
    if again is not made:
        raise Mistake(
            f"The {type(made).__name__} does not follow from its inputs: its columns would be {again.schema!r}, and "
            f"are {made.schema!r}."
        )


def _check_filter(made: Filter) -> None:
    require_condition(made.condition, "A filter", "WHERE")


def _check_join(made: Join) -> None:
    if made.condition is not None:
        require_join_condition(made.condition, made.left.schema, made.right.schema)


def _check_as_of_join(made: AsOfJoin) -> None:
    require_match(made.match)
    if made.condition is not None:
        require_as_of_condition(made.condition, made.left.schema, made.right.schema)


def _check_nearest_join(made: NearestJoin) -> None:
    require_ranking(made.ranking)


def _check_lateral_join(made: LateralJoin) -> None:
    refuse_in_lateral(made.input, made.right, "A lateral join")
    if isinstance(made.right, TableReference):
        require_lateral_query(made.right, made.input.schema, "a lateral join")
    if made.join_type not in (JoinType.INNER, JoinType.LEFT_OUTER):
        raise Mistake("A lateral join is INNER or LEFT_OUTER.")
    if made.condition is not None:
        require_condition(made.condition, "A lateral join", "ON")
        refuse_in_join(made.condition)
    again = lateral_join(made.input, made.right, made.names, made.join_type, made.condition)
    if again is not made:
        raise Mistake(f"The lateral join is not in canonical form, which is {again.title}{again.describe()}.")


def _check_aggregate(made: Aggregate) -> None:
    require_groupable(made.group_keys)
    if made.grouping_sets in ((), (tuple(range(len(made.group_keys))),)):
        raise Mistake("A single grouping set of all keys is a plain group, with null for grouping_sets.")
    for grouped in made.grouping_sets or ():
        if len(set(grouped)) < len(grouped):
            raise Mistake(f"The grouping set {list(grouped)} has a key twice.")
    if made.grouping_sets is not None and len(made.grouping_sets) > 1:
        for key in made.group_keys:
            refuse_as_key_of_sets(key)
    for aggregate in made.aggregates:
        if not is_aggregate(aggregate):
            raise Mistake(f"{aggregate!r} is not an aggregate.")
        refuse_nested(aggregate)
        refuse_in_aggregate(aggregate)
        if isinstance(aggregate, Call) and aggregate.function in KEY_FUNCTIONS:
            _require_keys(aggregate, made)


def _require_keys(aggregate: Call, made: Aggregate) -> None:
    """Refuse GROUPING of anything but a key, and GROUPING_ID of anything but all keys."""
    keys, given = made.group_keys, aggregate.arguments
    fits = given == keys if aggregate.function is GROUPING_ID else given[0] in keys
    if made.grouping_sets is None or not fits:
        raise Mistake(f"{aggregate!r} is about keys of grouping sets, and does not fit the keys of the Aggregate.")


def _check_pivot(made: Pivot) -> None:
    for aggregate in made.aggregates:
        require_aggregate(aggregate)
    for value in made.values:
        for part, column in zip(value, made.pivot_columns, strict=True):
            if not differ_at_most_in_nullability(part.data_type, column.data_type):
                raise Mistake(f"{part!r} of type {part.data_type!r} is not a value of the column {column!r}.")


def _check_sort(made: Sort) -> None:
    if not made.order and not made.is_limited:
        raise Mistake("A Sort has an order, an offset or a fetch.")
    _check_sort_keys(made.order, "order_by", "ORDER BY")


def _check_sort_partitions(made: SortPartitions) -> None:
    _check_sort_keys(made.order, "sort_within_partitions", "SORT BY")


def _check_sort_keys(order: Sequence[SortOrder], method: str, clause: str) -> None:
    keys = [item.expression for item in order]
    require_sort_keys(keys, method, clause)
    for key in keys:
        if isinstance(key, ValueLiteral):
            raise Mistake(f"The sort key {key!r} is a constant, which orders nothing. Omit it.")


def _check_distribute(made: Distribute) -> None:
    require_distribution_keys(made.keys)


def _check_set_operation(made: SetOperation) -> None:
    again = combine_sets(made.left, made.right, made.kind, made.all)
    _require_same(made, again)


def _check_values(made: Values) -> None:
    if not made.schema.columns and len(made.rows) != 1:
        raise Mistake(f"Values without columns have one row, but {len(made.rows)} were given.")
    if not made.rows and not all(data_type.nullable for data_type in made.schema.types):
        # Their text has a row of NULLs that a condition leaves out.
        raise Mistake("Values without rows have nullable columns.")
    for position, column in enumerate(made.schema.columns if made.rows else ()):
        types = [row[position].data_type for row in made.rows]
        for row, data_type in zip(made.rows, types, strict=True):
            if not differ_at_most_in_nullability(data_type, column.data_type):
                raise Mistake(f"{row[position]!r} of type {data_type!r} is not a value of the column {column!r}.")
        if least_common_type(types) is not column.data_type:
            raise Mistake(f"The values of the column {column!r} are of the type {least_common_type(types)!r}.")


def _check_source(made: Source) -> None:
    if sum([made.version is not None, made.timestamp is not None, made.changes is not None]) > 1:
        raise Mistake("A table is read at a version, at a timestamp or for its changes, and not in two of these ways.")
    if made.timestamp is not None:
        _require_type(made.timestamp, LocalZonedTimestampType)
    if made.versions is not None:
        positions = [made.versions.time, *made.versions.key]
        if not made.versions.key or not all(0 <= index < len(made.schema) for index in positions):
            raise Mistake(f"Versions have a time and a key among {len(made.schema)} columns, but were {positions}.")
    if made.stream is not None:
        _check_stream(made.stream, len(made.schema))
        if made.version is not None or made.timestamp is not None:
            raise Mistake("A stream is read as it is now, and not at a version or at a timestamp.")
        if made.changes is not None and (made.changes.end is not None or made.changes.by_function):
            raise Mistake("A stream of changes has no end, and is not read by a function.")


def _check_stream(stream: StreamRead, width: int) -> None:
    times = stream.time_columns
    if list(times) != sorted(set(times)) or not all(0 <= index < width for index in times):
        raise Mistake(f"The time columns are positions of columns in order, but {list(times)} were given for {width}.")
    if times and not stream.is_declared:
        raise Mistake("Only a stream by its own definition has time columns.")


def _require_type(expression: ResolvedExpression, *classes: type) -> None:
    if not isinstance(expression.data_type, classes):
        raise Mistake(f"{expression!r} is of type {expression.data_type!r}, which does not fit here.")


def _check_watermark(made: Watermark) -> None:
    # Spark takes a column of any type: only a stream needs a time.
    _require_type(made.delay, IntervalType)


def _check_hint(made: Hint) -> None:
    if hint_name(made.name) != made.name:
        raise Mistake(f"The name of the hint is {hint_name(made.name)!r}, but {made.name!r} was given.")


def _check_recursion(made: Recursion) -> None:
    names = made.schema.names
    if len(names) != len(made.base.schema):
        raise Mistake(f"The Recursion has {len(names)} columns, but its base has {len(made.base.schema)}.")
    again = recursion(made.name, made.base, made.step, names, made.limit)
    if isinstance(again, Recursion):
        again = again.evolve(is_unlimited=made.is_unlimited)
    _require_same(made, again)
    wanted = reference_to(made.name, made.base, names)
    for current in made.step.walk_with_subqueries():
        if isinstance(current, RecursiveReference) and current.name == made.name and current is not wanted:
            raise Mistake(f"The recursive reference has the columns {current.schema!r} instead of {wanted.schema!r}.")


def _check_no_columns(made: NoColumns) -> None:
    if len(made.input.schema) != 1:
        raise Mistake("A NoColumns has an input with one column.")


def _check_process_table(made: ProcessTable) -> None:
    for position, keys in enumerate((*made.partition_keys, *made.order_keys)):
        table = position % len(made.tables)
        for key in keys:
            for part in key.walk():
                if isinstance(part, FieldReference) and part.input_index != table:
                    raise Mistake(f"{key!r} is a key of the table {table}, and refers to table {part.input_index}.")
    for argument, value in zip(made.signature.scalars, made.scalars, strict=True):
        is_descriptor = isinstance(value, DescriptorLiteral)
        wanted = argument.data_type
        if wanted is not None and not is_descriptor and wanted.as_nullable() is not value.data_type.as_nullable():
            raise Mistake(f"{argument.describe()} is expected, but {value!r} of type {value.data_type!r} was given.")
    parts = zip(made.signature.tables, made.tables, made.partition_keys, made.order_keys, strict=True)
    tables = [ResolvedTable(argument, table, keys, order, (), ()) for argument, table, keys, order in parts]
    _require_same(made, infer_process_table(made.function, tables, made.scalars, made.on_time, made.uid))


_CHECKS: dict[type[QueryOperation], Callable[[Any], None]] = {
    Aggregate: _check_aggregate,
    Distribute: _check_distribute,
    Filter: _check_filter,
    Hint: _check_hint,
    Join: _check_join,
    LateralJoin: _check_lateral_join,
    AsOfJoin: _check_as_of_join,
    NearestJoin: _check_nearest_join,
    NoColumns: _check_no_columns,
    Pivot: _check_pivot,
    ProcessTable: _check_process_table,
    Recursion: _check_recursion,
    SetOperation: _check_set_operation,
    Sort: _check_sort,
    SortPartitions: _check_sort_partitions,
    Source: _check_source,
    Values: _check_values,
    Watermark: _check_watermark,
}


def check_recursive_references(root: QueryOperation) -> None:
    """Check that every recursive reference is in the step of its recursion."""
    free: dict[QueryOperation, frozenset[str]] = {}
    for current in root.walk_with_subqueries():
        if isinstance(current, RecursiveReference):
            found = frozenset((current.name,))
        else:
            found = frozenset().union(*[free[read] for read in (*current.inputs, *current.subqueries)])
        if isinstance(current, Recursion):
            found = free[current.base] | (free[current.step] - {current.name})
        free[current] = found
    if free[root]:
        raise Mistake(f"The recursive reference {min(free[root])!r} is outside of its recursion.")
