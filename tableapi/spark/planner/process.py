"""Lower process table functions for Spark: to a function over one table with the rows of each partition together.

Spark's own PARTITION BY makes an instance of the function for every partition, which costs more than most functions do.
So Spark only brings the rows of a partition together (DISTRIBUTE BY, SORT BY). The runtime detects where a partition
ends, and sorts its rows if Arrow sorts their types like Spark. Several tables become one table, whose rows say to which
table they belong.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import attrs

from ir import types as t
from ir.calls import call
from ir.expressions import (
    DescriptorLiteral,
    FieldReference,
    ResolvedExpression,
    SortOrder,
    ValueLiteral,
)
from ir.functions.collection import ROW
from ir.functions.process import ATOMIC_COLUMN, MethodSignature, StateEntry, StateKind
from ir.identifiers import fold
from ir.literals import literal
from ir.operations.engine import EngineFunction
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.process import ProcessTable
from ir.operations.project import project
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.source import SINGLE_ROW
from ir.resolution.process.tables import path_of, row_columns
from ir.rewriting import replace, transform_operations
from ir.schema import Column, ResolvedSchema
from ir.types import LogicalType, RowType
from tableapi.async_functions.options import positive_duration
from tableapi.process_functions.declaration import ProcessFunction
from tableapi.spark.planner.objects import object_maker, plain_fields, value_maker
from tableapi.spark.runtime.process.columns_read import columns_read
from tableapi.spark.runtime.process.declarations import ColumnList, ListView, MapView, StateRow
from tableapi.spark.runtime.process.plan import SENTINEL, Given, OrderKey, Parameter, Plan, StatePlan, TablePlan
from tableapi.spark.runtime.process.rows import are_columns
from tableapi.spark.runtime.process.time_limit import LIMIT

_MICROSECOND = dt.timedelta(microseconds=1)


def bind_process_functions(operation: QueryOperation, place: Callable[[PlannedCall], QueryOperation]) -> QueryOperation:
    """Replace the process table functions of a query by functions that the session has.

    Args:
        operation: the query, over sources and functions that the session has.
        place: returns the query that replaces a planned call.
    """

    def bound(current: QueryOperation) -> QueryOperation:
        return place(plan_call(current)) if isinstance(current, ProcessTable) else current

    return transform_operations(operation, bound)


def waits_for_watermark(call: ProcessTable) -> bool:
    """Whether the rows of a call over a stream wait until the watermark passes them, because it has ORDER BY."""
    return call.is_unbounded and any(call.order_keys)


def process_calls(operation: QueryOperation) -> list[ProcessTable]:
    """Return the distinct calls of process table functions in a query, inner calls first."""
    return [current for current in operation.walk_with_subqueries() if isinstance(current, ProcessTable)]


@attrs.frozen(eq=False)
class PlannedCall:
    """A call of a process table function, ready to run.

    Attributes:
        call: the call.
        input: the query whose rows the runtime gets, in the order in which the function sees them.
        arguments: the scalar arguments that are sent with each row.
        layout: the positions of keys, time and tables in a row of the input.
    """

    call: ProcessTable
    input: QueryOperation
    arguments: tuple[ResolvedExpression, ...]
    layout: _Layout

    def as_function(self, name: str) -> QueryOperation:
        """Return a call of the table function that the session has under a name."""
        return EngineFunction(name, self.input, self.arguments, self.call.schema)

    @property
    def sent(self) -> QueryOperation:
        """The table that is sent to workers: the columns of the input, then the columns of the arguments."""
        columns = [*_references(self.input), *self.arguments]
        return project(self.input, tuple(columns), tuple([f"_{number}" for number in range(len(columns))]))

    @property
    def function(self) -> ProcessFunction:
        """The declared function."""
        function = self.call.function.user_code.implementation
        assert isinstance(function, ProcessFunction)
        return function

    def plan(self, output: Any, job_parameters: dict[str, str]) -> Plan:
        """Return the instructions for the runtime; ``output`` is the Arrow schema of the result.

        Raises:
            ValidationException: the configured time limit of a call is not a duration.
        """
        limit = job_parameters.get(LIMIT)
        call, layout, function = self.call, self.layout, self.function
        signature = call.signature
        labels = {state.name: number for number, state in enumerate(signature.states)}
        return Plan(
            name=call.function.sql_name,
            uid=call.uid,
            function=function.target,
            parameters=self._parameters(),
            tables=tuple([self._table(number) for number in range(len(call.tables))]),
            output=output,
            on_timer=_method(signature.on_timer, labels),
            finish=_method(signature.finish, labels),
            on_late=self._late_parameters(),
            states=self._states(),
            keys=layout.keys,
            # A stream comes sorted from its packer.
            order=() if call.is_unbounded else layout.order,
            has_partitions=not signature.tables or signature.tables[0].is_set,
            time=layout.time,
            has_zone=isinstance(call.time_type, t.LocalZonedTimestampType),
            tag=layout.tag,
            forwarded=layout.forwarded,
            no_timers=_explain_no_timers(call),
            has_rowtime=bool(call.on_time),
            is_atomic=_is_atomic(call),
            job_parameters=job_parameters,
            changes=signature.changes,
            call_seconds=None if limit is None else positive_duration(limit, LIMIT),
        )

    @property
    def keeps_state_of_stream(self) -> bool:
        """Whether the call keeps state from one micro-batch to the next."""
        return self.call.is_unbounded and self.call.signature.tables[0].is_set

    @property
    def key_columns(self) -> list[tuple[str, LogicalType]]:
        """The names of the partition keys in ``sent``, and their types."""
        return [(f"_{position}", self.input.schema.columns[position].data_type) for position in self.layout.keys]

    @property
    def packed_order(self) -> list[int]:
        """The positions of the columns of ``sent`` by which the rows of a partition of a stream are sorted."""
        layout = self.layout
        if not waits_for_watermark(self.call):
            return [key.position for key in layout.order]
        # Rows that wait are sorted later; late ones do not wait.
        is_sorted = self.call.signature.on_late is not None
        return [place for place in (layout.time, layout.tag) if place is not None] if is_sorted else []

    @property
    def order_of_waiting(self) -> tuple[OrderKey, ...]:
        """The order of rows of a stream that wait for the watermark; empty if rows are processed as they come."""
        return self.layout.order if waits_for_watermark(self.call) else ()

    @property
    def initial_states(self) -> tuple[Callable[[], Any], ...]:
        """The functions that create the initial states."""
        return tuple([plan.create for plan in self._states()])

    def _states(self) -> tuple[StatePlan, ...]:
        states = zip(self.call.signature.states, self.call.state_types, strict=True)
        return tuple([_state(entry, known) for entry, known in states])

    def _parameters(self) -> tuple[Parameter, ...]:
        signature = self.call.signature
        found = [Parameter(Given.CONTEXT)] if signature.wants_context else []
        found += [Parameter(Given.STATE, number, name=s.label) for number, s in enumerate(signature.states)]
        tables = scalars = sent = 0
        for argument in signature.arguments:
            if argument.is_table:
                found.append(Parameter(Given.TABLE, tables, name=argument.name))
                tables += 1
                continue
            value = self.call.scalars[scalars]
            scalars += 1
            if isinstance(value, DescriptorLiteral):
                found.append(Parameter(Given.CONSTANT, value=ColumnList(value.names), name=argument.name))
            elif isinstance(value, ValueLiteral) and value.is_null:
                found.append(Parameter(Given.CONSTANT, name=argument.name))
            else:
                found.append(Parameter(Given.SCALAR, sent, value_maker(argument.conversion), argument.name))
                sent += 1
        return tuple(found)

    def _late_parameters(self) -> tuple[Parameter, ...] | None:
        declared = self.call.signature.on_late
        if declared is None:
            return None
        of_eval = {parameter.name: parameter for parameter in self._parameters()}
        context = [Parameter(Given.CONTEXT)] if declared.wants_context else []
        return (*context, *[of_eval[name] for name in declared.arguments])

    def _table(self, number: int) -> TablePlan:
        call, layout = self.call, self.layout
        argument, table = call.signature.tables[number], call.tables[number]
        partitioned = [a.name for a, keys in zip(call.signature.tables, call.partition_keys, strict=True) if keys]
        together = partitioned if call.is_copartitioned and argument.name in partitioned else []
        names, converters = table.schema.names, {}
        columns = tuple([names[column] for column in layout.columns[number]])
        make = object_maker(argument.conversion)
        own_fields = layout.fields[number]
        if own_fields is not None:
            columns, make = own_fields, None
            fields = plain_fields(argument.conversion) or {}
            converters = {name: made for name in columns if (made := fields[name]) is not None}
        return TablePlan(
            argument.name,
            columns,
            layout.tables[number],
            layout.tag is not None,
            make,
            converters,
            tuple([path_of(key) for key in call.partition_keys[number]]),
            tuple([path_of(order.expression) for order in call.order_keys[number]]),
            call.on_time[number] if call.on_time else None,
            tuple([name for name in together if name != argument.name]),
            call.kind_column(number),
        )


def plan_call(call: ProcessTable) -> PlannedCall:
    """Plan a call."""
    arguments = tuple([value for value in call.scalars if _is_sent(value)])
    if not call.tables:
        input, layout = project(SINGLE_ROW, (literal(0),), ("_row",)), _Layout()
    elif len(call.tables) > 1 or (_keeps_when_empty(call) and not call.is_unbounded):
        input, layout = _tag_tables(call)
    else:
        input, layout = _single(call)
    return PlannedCall(call, input, arguments, layout)


@attrs.frozen
class _Layout:
    """Positions in a row of the input: of keys and order, and of the columns of each table or the row that holds them.

    ``columns`` lists which columns of its own each table has in the input. ``fields`` gives their field names, if the
    function reads nothing but fields of its row objects, so that the runtime makes no objects.
    """

    keys: tuple[int, ...] = ()
    order: tuple[OrderKey, ...] = ()
    time: int | None = None
    tag: int | None = None
    tables: tuple[tuple[int, ...], ...] = ()
    columns: tuple[tuple[int, ...], ...] = ()
    forwarded: tuple[int, ...] = ()
    fields: tuple[tuple[str, ...] | None, ...] = ()


def _is_sent(value: ResolvedExpression) -> bool:
    return not isinstance(value, DescriptorLiteral) and not (isinstance(value, ValueLiteral) and value.is_null)


def _keeps_when_empty(call: ProcessTable) -> bool:
    """Whether the function also finishes without rows: its only partition exists in any case."""
    return call.signature.finish is not None and call.signature.tables[0].is_set and not any(call.partition_keys)


# --- one table -------------------------------------------------------------------------------------------------------


def _single(call: ProcessTable) -> tuple[QueryOperation, _Layout]:
    table, argument = call.tables[0], call.signature.tables[0]
    time = call.on_time[0] if call.on_time else None
    columns, keys = _append_keys(table, call.partition_keys[0])
    sorted_by: tuple[OrderKey, ...] = ()
    if argument.is_set:
        wanted = [_reference(columns, key) for key in keys]
        inside = [*([] if time is None else [_ascending(_reference(columns, time))]), *call.order_keys[0]]
        if waits_for_watermark(call):
            columns, places_of_order = _append_keys(columns, [key.expression for key in inside])
            sorted_by = _order_of_columns(zip(places_of_order, inside, strict=True), keys)
        elif call.is_unbounded:
            sorted_by = () if time is None else (OrderKey(time),)
        else:
            sorted_by = _choose_runtime_order(inside, keys)
            order = [_ascending(key) for key in wanted]
            columns = _partition_and_sort(columns, wanted, order if sorted_by else [*order, *inside])
    # Rows that wait outlive the code of the function, whose next version may read other columns.
    read = None if argument.passes_through or waits_for_watermark(call) else _columns_read(call, 0)
    width = len(columns.schema)
    needed, fields = row_columns(argument, table), None
    if read is None:
        sent = list(range(width))
    else:
        sent = sorted({*read, *keys, *[t for t in (time,) if t is not None], *[k.position for k in sorted_by]}) or [0]
        # Messages show a row with all columns that are sent anyway.
        needed = tuple(read if argument.conversion else [position for position in sent if position < len(table.schema)])
        fields = tuple(read.values()) if argument.conversion else None
    if len(sent) < width:
        names = tuple([columns.schema.columns[position].name for position in sent])
        columns = project(columns, tuple([_reference(columns, position) for position in sent]), names)
    at = {position: place for place, position in enumerate(sent)}
    places = tuple([at[key] for key in keys])
    return columns, _Layout(
        keys=places,
        order=tuple([key._replace(position=at[key.position]) for key in sorted_by]),
        time=None if time is None else at[time],
        tables=(tuple([at[position] for position in needed]),),
        columns=(needed,),
        forwarded=tuple(range(len(table.schema))) if argument.passes_through else places,
        fields=(fields,),
    )


def _choose_runtime_order(order: Sequence[SortOrder], keys: Sequence[int]) -> tuple[OrderKey, ...]:
    """Return the order by which the runtime sorts the rows of a partition; empty if Spark sorts, or nothing does.

    Arrow sorts many types like Spark, but not numbers that may be NaN, strings with a collation, and rows. Without keys
    all rows are one partition: Spark sorts them, because it has more memory and can spill to disk.
    """
    found: list[tuple[int, SortOrder]] = []
    for key in order:
        column = key.expression
        if not isinstance(column, FieldReference) or not _sorts_like_spark(column.data_type):
            return ()
        found.append((column.index, key))
    return _order_of_columns(found, keys) if keys else ()


def _order_of_columns(order: Iterable[tuple[int, SortOrder]], keys: Sequence[int]) -> tuple[OrderKey, ...]:
    """Return the order by columns at some positions, without partition keys and repeated columns."""
    found: dict[int, OrderKey] = {}
    for position, key in order:
        if position not in keys:
            found.setdefault(position, OrderKey(position, key.ascending, key.nulls_first))
    return tuple(found.values())


def _sorts_like_spark(known: LogicalType) -> bool:
    plain = (t.IntegralType, t.DecimalType, t.BooleanType, t.CharacterType, t.BytesType, t.DateType)
    return isinstance(known, (*plain, t.TimestampType, t.LocalZonedTimestampType)) and not known.has_collation


def _columns_read(call: ProcessTable, number: int) -> dict[int, str] | None:
    """Map the columns of a table that the function reads to their names; None if it may read all columns."""
    function, signature = call.function.user_code.implementation, call.signature
    assert isinstance(function, ProcessFunction)
    argument = signature.tables[number]
    if call.kind_column(number) is not None:
        return None
    before = [place for place, other in enumerate(signature.arguments) if other.is_table][number]
    read = columns_read(function.target.eval, signature.wants_context + len(signature.states) + before)
    if read is not None and signature.on_late is not None:
        place = signature.on_late.wants_context + signature.on_late.arguments.index(argument.name)
        read_late = columns_read(function.target.on_late, place)
        read = None if read_late is None else read | read_late
    columns, names = row_columns(argument, call.tables[number]), call.tables[number].schema.names
    if argument.conversion is not None:
        fields = plain_fields(argument.conversion)
        if fields is None:
            return None
        names = tuple(fields)
    else:
        names = tuple([names[column] for column in columns])
    if read is None or not are_columns(names, read):
        return None
    return {column: name for column, name in zip(columns, names, strict=True) if name in read}


def _append_keys(table: QueryOperation, keys: Sequence[ResolvedExpression]) -> tuple[QueryOperation, tuple[int, ...]]:
    """Append computed keys to a table as columns, and return the positions of all keys."""
    projections: list[ResolvedExpression] = [*_references(table)]
    names = list(table.schema.names)
    positions = []
    for key in keys:
        if isinstance(key, FieldReference):
            positions.append(key.index)
        else:
            positions.append(len(projections))
            projections.append(key)
            names.append(_choose_unused_name("_key", names))
    same = len(projections) == len(table.schema)
    return (table if same else project(table, tuple(projections), tuple(names))), tuple(positions)


def _partition_and_sort(
    table: QueryOperation, keys: Sequence[ResolvedExpression], order: Sequence[SortOrder]
) -> QueryOperation:
    """Bring the rows of each partition together, and sort them; without keys all rows are one partition."""
    spread = Distribute(table, tuple(keys) or (literal(0),))
    unique = tuple({key.expression: key for key in reversed(order)}.values())[::-1]
    return SortPartitions(spread, unique) if unique else spread


# --- several tables --------------------------------------------------------------------------------------------------


def _tag_tables(call: ProcessTable) -> tuple[QueryOperation, _Layout]:
    """Union all tables to rows of: keys, time, the number of the table, a row column for each table, and sort keys."""
    count, width = len(call.tables), len(call.partition_keys[0])
    sent = [_choose_sent_columns(call, number) for number in range(count)]
    parts = [_part(call, number, columns) for number, (columns, _) in enumerate(sent)]
    if _keeps_when_empty(call) and not call.is_unbounded:
        sentinel: list[ResolvedExpression | None] = [None] * len(parts[0])
        sentinel[len(call.on_time[:1])] = literal(SENTINEL)
        parts.insert(0, sentinel)
    types = [_common(column) for column in zip(*parts, strict=True)]
    names = tuple([f"_{number}" for number in range(len(types))])
    tables = [SINGLE_ROW] * (len(parts) - count) + list(call.tables)
    union: QueryOperation | None = None
    for table, part in zip(tables, parts, strict=True):
        filled = tuple([_null(known) if value is None else value for value, known in zip(part, types, strict=True)])
        made = project(table, filled, names)
        if union is None:
            union = made
            continue
        schema = ResolvedSchema(tuple([Column(n, known) for n, known in zip(names, types, strict=True)]))
        union = SetOperation(SetOperationType.UNION, True, union, made, schema)
    assert union is not None
    time = width if call.on_time else None
    tag = width + len(call.on_time[:1])
    positions = range(tag + 1 + count, len(types))
    orders = [given for of_table in call.order_keys for given in of_table]
    pairs = zip(positions, orders, strict=True)
    inside = [OrderKey(position) for position in range(width, tag + 1)]
    inside += [OrderKey(position, given.ascending, given.nulls_first) for position, given in pairs]
    layout = _Layout(
        tuple(range(width)),
        # A stream is sorted by its packer, or when the watermark has passed its rows.
        tuple(inside) if call.is_unbounded else (),
        time,
        tag,
        tuple([(tag + 1 + number,) for number in range(count)]),
        tuple([columns for columns, _ in sent]),
        tuple(range(width)) * sum(bool(keys) for keys in call.partition_keys),
        tuple([fields for _, fields in sent]),
    )
    if call.is_unbounded:
        return union, layout
    order = [_ascending(_reference(union, position)) for position in range(width)]
    order += [SortOrder(_reference(union, key.position), key.is_ascending, key.nulls_first) for key in inside]
    sorted_rows = _partition_and_sort(union, [_reference(union, position) for position in range(width)], order)
    kept = tag + 1 + count
    references = tuple([_reference(sorted_rows, position) for position in range(kept)])
    return project(sorted_rows, references, names[:kept]), layout


def _choose_sent_columns(call: ProcessTable, number: int) -> tuple[tuple[int, ...], tuple[str, ...] | None]:
    """Return the columns of a table that its rows have in the union, and their field names if no objects are made."""
    argument = call.signature.tables[number]
    columns, read = row_columns(argument, call.tables[number]), _columns_read(call, number)
    if read is None or waits_for_watermark(call):
        return columns, None
    # A row needs at least one column.
    wanted = [column for column in columns if column in read] or list(columns[:1])
    if argument.conversion is None:
        return tuple(wanted), None
    names = tuple(plain_fields(argument.conversion) or ())
    return tuple(wanted), tuple([names[columns.index(column)] for column in wanted])


def _part(call: ProcessTable, number: int, columns: Sequence[int]) -> list[ResolvedExpression | None]:
    """Return the columns of a table for the union; None stands for NULL."""
    references = _references(call.tables[number])
    fields: list[ResolvedExpression] = []
    for place, column in enumerate(columns):
        fields += [literal(f"_{place}"), references[column]]
    part: list[ResolvedExpression | None] = [_refer_to_table(key) for key in call.partition_keys[number]]
    part += [references[call.on_time[number]]] if call.on_time else []
    part.append(literal(number))
    part += [_row(fields) if other == number else None for other in range(len(call.tables))]
    for other, orders in enumerate(call.order_keys):
        part += [_refer_to_table(order.expression) if other == number else None for order in orders]
    return part


def _row(fields: list[ResolvedExpression]) -> ResolvedExpression:
    """Build a row of fields; add a field if there is none, because Spark has no empty rows."""
    return call(ROW, fields or [literal("_"), literal(0)])


def _common(values: tuple[ResolvedExpression | None, ...]) -> LogicalType:
    types = [value.data_type for value in values if value is not None]
    nullable = len(types) < len(values) or any(known.nullable for known in types)
    return types[0].with_nullability(nullable)


def _null(known: LogicalType) -> ResolvedExpression:
    return ValueLiteral(None, known.as_nullable())


def _refer_to_table(key: ResolvedExpression) -> ResolvedExpression:
    return replace(key, lambda part: part.evolve(input_index=0) if isinstance(part, FieldReference) else None)


# --- columns ---------------------------------------------------------------------------------------------------------


def _references(table: QueryOperation) -> list[FieldReference]:
    return [_reference(table, position) for position in range(len(table.schema))]


def _reference(table: QueryOperation, position: int) -> FieldReference:
    column = table.schema.columns[position]
    return FieldReference(column.name, column.data_type, 0, position)


def _ascending(key: ResolvedExpression) -> SortOrder:
    return SortOrder(key, True, True)


def _choose_unused_name(name: str, taken: list[str]) -> str:
    folded = {fold(known) for known in taken}
    number = 0
    while f"{name}_{number}" in folded:
        number += 1
    return f"{name}_{number}"


# --- the function ----------------------------------------------------------------------------------------------------


def _is_atomic(call: ProcessTable) -> bool:
    """Whether the function yields the values of its only column instead of rows."""
    own = call.output.fields[bool(call.signature.changes) :]
    return [field.name for field in own] == [ATOMIC_COLUMN]


def _explain_no_timers(call: ProcessTable) -> str | None:
    tables = call.signature.tables
    if call.signature.on_timer is None:
        return "the function has no method on_timer"
    if not tables or not tables[0].is_set:
        return "there is no table with set semantics"
    return "columns are passed through, and a timer has no row" if tables[0].passes_through else None


def _method(declared: MethodSignature | None, states: dict[str, int]) -> tuple[Parameter, ...] | None:
    if declared is None:
        return None
    context = [Parameter(Given.CONTEXT)] if declared.wants_context else []
    return (*context, *[Parameter(Given.STATE, states[name], name=name) for name in declared.states])


def _state(entry: StateEntry, known: LogicalType) -> StatePlan:
    return StatePlan(entry.label, _creator(entry, known), None if entry.ttl is None else entry.ttl // _MICROSECOND)


def _creator(entry: StateEntry, known: LogicalType) -> Callable[[], Any]:
    if entry.kind is StateKind.LIST:
        return ListView
    if entry.kind is StateKind.MAP:
        return MapView
    if entry.conversion is not None:
        return partial(entry.conversion, **entry.defaults) if entry.defaults else entry.conversion
    assert isinstance(known, RowType)
    names = tuple([field.name for field in known.fields])
    return partial(StateRow, names, [entry.defaults.get(name) for name in names])
