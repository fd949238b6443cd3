"""The call of a process table function in a harness: typed rows, keys, constants, and output rows."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs
import pyarrow as pa

from ir.call_expressions import Call
from ir.calls.folding import fold_constant
from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import DescriptorLiteral, ResolvedExpression, ValueLiteral
from ir.functions.collection import ARRAY, MAP, ROW
from ir.functions.conversion import CAST
from ir.functions.process import ArgumentKind, ProcessArgument, StateEntry, StateKind
from ir.operations.process import ProcessTable
from ir.resolution.process.tables import path_of, row_columns
from ir.types import DayTimeIntervalType
from tableapi.process_functions.declaration import ProcessFunction
from tableapi.process_functions.parameters import annotations_of
from tableapi.result import python_values
from tableapi.spark.planner.objects import element_makers, object_maker, value_maker
from tableapi.spark.planner.process import plan_call, process_calls
from tableapi.spark.runtime.columns import column_of_any
from tableapi.spark.runtime.process.context import SetSemantics
from tableapi.spark.runtime.process.declarations import ColumnList, StateRow
from tableapi.spark.runtime.process.plan import Plan
from tableapi.spark.runtime.process.rows import TableRow, microseconds, row_class, values
from tableapi.spark.runtime.row import Row, RowKind
from tableapi.spark.runtime.wrong_values import WRONG, wrong_value
from tableapi.testing.process_states import StateKeeper, as_positions
from tableapi.testing.typed_rows import arrow_type, column_of_value, columns_of_row

if TYPE_CHECKING:
    from tableapi.table import Table


@attrs.frozen(eq=False)
class InputRow:
    """A row of a table of the call.

    Attributes:
        number: its number among the rows of a test, for messages.
        table: the position of the table.
        columns: its columns as Arrow arrays of one value.
        value: the row as the function gets it.
        shown: the row with all columns, for messages.
        keys: its partition keys as Arrow arrays.
        time: its time in microseconds since 1970; None without ``on_time``, and for NULL.
        place: its place in the order of its partition, without the time.
    """

    number: int
    table: int
    columns: Sequence[pa.Array]
    value: Any
    shown: Any
    keys: Sequence[pa.Array]
    time: int | None
    place: tuple[Any, ...]


def find_call(query: Table, uid: str | None) -> ProcessTable:
    """Return the call of a query, by its ``uid`` if there are several.

    Raises:
        ValidationException: the query has no call, no call with the ``uid``, or several calls.
    """
    calls = process_calls(query.query_operation)
    if not calls:
        raise ValidationException(
            "The query has no call of a process table function. Pass the result of Table.process or from_call."
        )
    uids = [call.uid for call in calls]
    if uid is None and len(calls) > 1:
        raise ValidationException(f"The query has several calls. Choose one by uid=: [{listing(uids)}].")
    if uid is not None and uid not in uids:
        raise ValidationException(f"No call has the uid {uid!r}, but [{listing(uids)}]." + did_you_mean(uid, uids))
    return calls[0] if uid is None else calls[uids.index(uid)]


class TypedCall:
    """A resolved call, and conversions between the values of a test and those of the function.

    Args:
        operation: the call.
        given: scalar arguments as Python values; other ones are computed from the call.

    Raises:
        ValidationException: the call partitions, sorts or passes values by expressions that only Spark can evaluate.
    """

    def __init__(self, operation: ProcessTable, given: Mapping[str, Any]) -> None:
        self.operation = operation
        signature = operation.signature
        function = operation.function.user_code.implementation
        assert isinstance(function, ProcessFunction)
        self.target: Any = function.target
        self.names = [table.name for table in signature.tables]
        self._output_fields = [
            pa.field(field.name, arrow_type(field.data_type), field.data_type.nullable)
            for field in operation.output.fields
        ]
        self._plan = self._make_plan()
        self._key_paths = [
            [_require_path(argument, key) for key in keys]
            for argument, keys in zip(signature.tables, operation.partition_keys, strict=True)
        ]
        self._order_paths = [
            [_require_path(argument, order.expression) for order in orders]
            for argument, orders in zip(signature.tables, operation.order_keys, strict=True)
        ]
        self._makers = [_row_maker(argument, operation, number) for number, argument in enumerate(signature.tables)]
        self._shown = [row_class(table.schema.names) for table in operation.tables]
        self.scalars = [
            _constant_argument(argument, value, given)
            for argument, value in zip(signature.scalars, operation.scalars, strict=True)
        ]
        self.states = self._keepers()
        self.semantics: dict[str, SetSemantics] = {
            name: GivenSemantics(operation, number) for number, name in enumerate(self.names)
        }

    # --- properties of the call --------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the function in messages, with the ``uid`` if it differs."""
        plan = self._plan
        return plan.name if plan.uid == plan.name else f"{plan.name} (uid {plan.uid})"

    @property
    def is_set(self) -> bool:
        """Whether the tables have set semantics, so that there are partitions with state."""
        return any(table.is_set for table in self.operation.signature.tables)

    @property
    def has_keys(self) -> bool:
        """Whether the call has PARTITION BY."""
        return any(self.operation.partition_keys)

    @property
    def has_order(self) -> bool:
        """Whether the call has ORDER BY."""
        return any(self.operation.order_keys)

    @property
    def has_time(self) -> bool:
        """Whether the call has ``on_time``."""
        return bool(self.operation.on_time)

    @property
    def has_zone(self) -> bool:
        """Whether times are TIMESTAMP_LTZ."""
        return self._plan.has_zone

    @property
    def no_timers(self) -> str | None:
        """The message for a function that registers a timer, if the call has none."""
        reason = self._plan.no_timers
        return reason and f"Timers are not supported in the current PTF declaration: {reason}."

    def _make_plan(self) -> Plan:
        fields = [pa.field(c.name, arrow_type(c.data_type)) for c in self.operation.schema.columns]
        return plan_call(self.operation).plan(pa.schema(fields), {})

    def _keepers(self) -> list[StateKeeper]:
        hints = annotations_of(f"{self.name}.eval", self.target.eval)
        entries = self.operation.signature.states
        return [
            StateKeeper(entry, data_type, plan.create, _state_makers(entry, hints.get(entry.name)), plan.ttl)
            for entry, data_type, plan in zip(entries, self.operation.state_types, self._plan.states, strict=True)
        ]

    # --- input -------------------------------------------------------------------------------------------------------

    def read_row(self, table: int, row: Any, number: int) -> InputRow:
        """Return a row of a test as a row of the call.

        Args:
            table: the position of the table.
            row: the row as a mapping by column, or as values by position.
            number: the number of the row for messages.

        Raises:
            ValidationException: a value does not have the type of its column, or the row has other columns.
        """
        operation = self.operation
        columns = columns_of_row(row, operation.tables[table].schema, number)
        found = [values(column)[0] for column in columns]
        time = microseconds(columns[operation.on_time[table]])[0] if operation.on_time else None
        return InputRow(
            number,
            table,
            columns,
            self._makers[table](found),
            self._shown[table](*found),
            [_follow(columns, path) for path in self._key_paths[table]],
            time,
            (table, *self._sort_keys(table, columns)),
        )

    def _sort_keys(self, table: int, columns: Sequence[pa.Array]) -> Iterator[Any]:
        orders = self.operation.order_keys[table]
        for order, path in zip(orders, self._order_paths[table], strict=True):
            value = values(_follow(columns, path))[0]
            is_null = value is None
            # FALSE sorts before TRUE.
            yield is_null is not order.nulls_first
            yield None if is_null else Sortable(value) if order.ascending else Descending(value)

    def read_key(self, key: Sequence[Any]) -> list[pa.Array]:
        """Return the key of a partition as Arrow arrays.

        Raises:
            ValidationException: the key has other columns than PARTITION BY, or a value of a wrong type.
        """
        wanted = next((keys for keys in self.operation.partition_keys if keys), ())
        if len(key) != len(wanted):
            shown = listing([part.as_summary_string() for part in wanted]) or "no columns"
            raise ValidationException(f"The key {key!r} has {len(key)} values, but PARTITION BY has {shown}.")
        return [
            column_of_value(value, part.data_type, f"The key {part.as_summary_string()!r}")
            for value, part in zip(key, wanted, strict=True)
        ]

    def arguments_of_eval(self, row: InputRow | None, states: Sequence[Any], context: Any) -> list[Any]:
        """Return the arguments of ``eval`` for a row, or for a call without tables."""
        signature = self.operation.signature
        scalars = iter(self.scalars)
        found: list[Any] = [context] if signature.wants_context else []
        found += states
        table = 0
        for argument in signature.arguments:
            if not argument.is_table:
                found.append(next(scalars))
                continue
            found.append(row.value if row is not None and row.table == table else None)
            table += 1
        return found

    def arguments_of_late(self, row: InputRow, context: Any) -> list[Any] | None:
        """Return the arguments of ``on_late`` for a row; None if the function has no such method."""
        signature = self.operation.signature
        if signature.on_late is None:
            return None
        of_eval = self.arguments_of_eval(row, [], None)[signature.wants_context :]
        names = [argument.name for argument in signature.arguments]
        chosen = [of_eval[names.index(name)] for name in signature.on_late.arguments]
        return [context, *chosen] if signature.on_late.wants_context else chosen

    def describe_arguments(self, row: InputRow | None) -> list[tuple[str, Any]]:
        """Return the names and values of the arguments of ``eval`` for a message."""
        scalars = iter(self.scalars)
        found: list[tuple[str, Any]] = []
        table = 0
        for argument in self.operation.signature.arguments:
            if argument.is_table:
                found.append((argument.name, row.shown if row is not None and row.table == table else None))
                table += 1
                continue
            value = next(scalars)
            if argument.kind is ArgumentKind.SCALAR and value is not None:
                found.append((argument.name, value))
        return found

    # --- output ------------------------------------------------------------------------------------------------------

    def output_row(self, made: Any, row: InputRow | None, keys: Sequence[pa.Array], time: int | None) -> Row:
        """Return the output row for what the function yields.

        Args:
            made: what it yields.
            row: the input row, if there is one.
            keys: the keys of the partition.
            time: the time of the output row.

        Raises:
            TypeError, ValueError: the yielded object is not an output row.
        """
        columns: list[pa.Array] = []
        for argument, of_table in zip(self.operation.signature.tables, self.operation.partition_keys, strict=True):
            if argument.passes_through:
                assert row is not None, "neither timers nor finish() pass columns through"
                columns += row.columns
            elif of_table:
                columns += keys
        columns += self._output_columns(made)
        schema = self.operation.schema
        if self.has_time:
            of_time = arrow_type(schema.columns[-1].data_type)
            columns.append(pa.array([time], pa.int64()).view(of_time))
        found = [python_values(array, c.data_type)[0] for array, c in zip(columns, schema.columns, strict=True)]
        return Row.of(schema.names, found)

    def _output_columns(self, made: Any) -> list[pa.Array]:
        given = self._values_of_output(made)
        fields = self._output_fields
        changes = self.operation.signature.changes
        kind = made.get_row_kind().name if isinstance(made, (Row, TableRow)) else RowKind.INSERT.name
        if kind not in (changes or (RowKind.INSERT.name,)):
            raise ValueError(f"{made!r} is of the kind {kind}, but get_output_changelog_mode() does not give it")
        if changes:
            given = (kind, *given)
        if len(given) != len(fields):
            raise ValueError(
                f"a row of the {len(fields)} columns {', '.join(field.name for field in fields)} is wanted, but one of "
                f"{len(given)} was yielded"
            )
        return [_output_column(value, field) for value, field in zip(given, fields, strict=True)]

    def _values_of_output(self, made: Any) -> Sequence[Any]:
        if self._plan.is_atomic:
            is_row = isinstance(made, (tuple, Row)) and len(made) == 1
            return tuple(made) if is_row else (made,)
        names = [field.name for field in self._output_fields][bool(self.operation.signature.changes) :]
        if isinstance(made, (tuple, list, Row, StateRow)):
            return tuple(made)
        if isinstance(made, Mapping):
            if set(made) != set(names):
                raise ValueError(
                    f"a row of the columns {', '.join(names)} is wanted, but a dict of {', '.join(map(str, made))} was "
                    "yielded"
                )
            return [made[name] for name in names]
        if dataclasses.is_dataclass(made) and not isinstance(made, type):
            return [getattr(made, field.name) for field in dataclasses.fields(made)]
        if len(names) == 1:
            return (made,)
        raise TypeError(f"a row of the columns {', '.join(names)} is wanted, but {made!r} was yielded")


def _output_column(value: Any, field: pa.Field) -> pa.Array:
    try:
        made = column_of_any([as_positions(value)], field.type)
        if made.null_count and not field.nullable:
            raise ValueError("it is None, but the column is NOT NULL")
    except WRONG as error:
        raise TypeError(wrong_value(f"in the column {field.name}, the value", value, field.type, error)) from None
    return made


# --- rows ------------------------------------------------------------------------------------------------------------


def _row_maker(argument: ProcessArgument, operation: ProcessTable, number: int) -> Callable[[Sequence[Any]], Any]:
    table = operation.tables[number]
    make = object_maker(argument.conversion)
    if make is None:
        kinds = operation.kind_column(number)
        if kinds is not None:
            return partial(_row_of_change, table.schema.names, table.schema.names.index(kinds))
        cls = row_class(table.schema.names)
        return partial(tuple.__new__, cls)
    wanted = row_columns(argument, table)
    return lambda found: make(*[found[column] for column in wanted])


def _row_of_change(names: Sequence[str], place: int, found: Sequence[Any]) -> Any:
    """Return a row of a table of changes, whose kind is the name in one of its columns."""
    kind = RowKind.__members__.get(found[place])
    if kind is None:
        raise ValidationException(
            f"The column {names[place]} of a table of changes is {found[place]!r}; it is one of "
            f"[{listing(RowKind.__members__)}]."
        )
    return tuple.__new__(row_class(names, kind), found)


def _require_path(argument: ProcessArgument, key: ResolvedExpression) -> tuple[int, ...]:
    path = path_of(key)
    if not path:
        raise ValidationException(
            f"A harness partitions and sorts by columns and their fields, but the table {argument.name!r} has the key "
            f"{key.as_summary_string()}, which Spark would compute. Compute it in a column of the rows."
        )
    if key.data_type.has_collation:
        raise ValidationException(
            f"A harness partitions and sorts by binary values, but the key {key.as_summary_string()} of the table "
            f"{argument.name!r} has a collation. Compute a key without one in a column of the rows."
        )
    return path


def _follow(columns: Sequence[pa.Array], path: tuple[int, ...]) -> pa.Array:
    found = columns[path[0]]
    for position in path[1:]:
        # ``flatten`` gives NULL for the fields of a row that is NULL.
        found = found.flatten()[position]
    return found


def canonical_key(keys: Sequence[pa.Array]) -> tuple[Any, ...]:
    """Return keys in a form in which equal keys of GROUP BY are equal: NULL is equal to NULL, and NaN to NaN."""
    return tuple([_canonical(values(key)[0]) for key in keys])


def _canonical(value: Any) -> Any:
    if isinstance(value, float) and value != value:
        return "NaN", ()
    if isinstance(value, (list, tuple, Row)):
        return tuple([_canonical(part) for part in value])
    return value


class Sortable:
    """A value that is not NULL, in the order of Spark: NaN is the largest number, and NULL within a row the least."""

    def __init__(self, value: Any) -> None:
        self.key = _sort_key(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sortable) and self.key == other.key

    def __lt__(self, other: Sortable) -> bool:
        return bool(self.key < other.key)

    __hash__ = None  # type: ignore[assignment]  # sorting needs no hashes


class Descending(Sortable):
    """A value in descending order."""

    def __lt__(self, other: Sortable) -> bool:
        return bool(other.key < self.key)


def _sort_key(value: Any) -> Any:
    if isinstance(value, float):
        return (value != value, 0.0 if value != value else value)
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (list, tuple, Row)):
        return tuple([(part is not None, () if part is None else _sort_key(part)) for part in value])
    return value


# --- arguments and state ---------------------------------------------------------------------------------------------


def _constant_argument(argument: ProcessArgument, value: ResolvedExpression, given: Mapping[str, Any]) -> Any:
    """Return the value that the function gets for a scalar argument."""
    if isinstance(value, DescriptorLiteral):
        return ColumnList(value.names)
    if isinstance(value, ValueLiteral) and value.is_null:
        return None
    known = given[argument.name] if argument.name in given else evaluate_constant(argument.name, value)
    column = column_of_value(known, value.data_type, f"The argument {argument.name!r}")
    make = value_maker(argument.conversion)
    return values(column)[0] if make is None else make(values(column)[0])


def evaluate_constant(name: str, expression: ResolvedExpression) -> Any:
    """Return the value of a constant expression: a literal, what folds to one, or an array, map or row of these.

    Args:
        name: the name of the argument for messages.
        expression: the expression.

    Raises:
        ValidationException: only Spark can evaluate the expression.
    """
    known = fold_constant(expression)
    if isinstance(known, ValueLiteral):
        is_duration = isinstance(known.data_type, DayTimeIntervalType) and known.value is not None
        return dt.timedelta(microseconds=known.value) if is_duration else known.value
    if isinstance(known, Call):
        arguments = known.arguments
        if known.function is ARRAY:
            return [evaluate_constant(name, part) for part in arguments]
        if known.function is ROW:
            return tuple([evaluate_constant(name, part) for part in arguments[1::2]])
        if known.function is MAP:
            pairs = zip(arguments[::2], arguments[1::2], strict=True)
            return {evaluate_constant(name, key): evaluate_constant(name, value) for key, value in pairs}
        if known.function is CAST and _is_constructor(arguments[0]):
            return evaluate_constant(name, arguments[0])
    raise ValidationException(
        f"A harness knows constants, but the argument {name!r} is {expression.as_summary_string()}, which only Spark "
        "evaluates. Pass its value."
    )


def _is_constructor(expression: ResolvedExpression) -> bool:
    return isinstance(expression, Call) and expression.function in (ARRAY, ROW, MAP)


def _state_makers(entry: StateEntry, annotation: Any) -> tuple[Callable[[Any], Any] | None, ...]:
    """Return the converters from the stored form of a state to the objects that the function gets."""
    if entry.kind is StateKind.VALUE:
        return (value_maker(entry.conversion) if entry.conversion is not None else None,)
    return element_makers(annotation, 1 if entry.kind is StateKind.LIST else 2)


class GivenSemantics(SetSemantics):
    """The partitioning and order of a table of a call."""

    def __init__(self, operation: ProcessTable, number: int) -> None:
        self._operation = operation
        self._number = number

    def partition_by_columns(self) -> tuple[tuple[int, ...], ...]:
        return tuple([path_of(key) for key in self._operation.partition_keys[self._number]])

    def order_by_columns(self) -> tuple[tuple[int, ...], ...]:
        return tuple([path_of(order.expression) for order in self._operation.order_keys[self._number]])

    def time_column(self) -> int | None:
        return self._operation.on_time[self._number] if self._operation.on_time else None

    def co_partition_args(self) -> tuple[str, ...]:
        operation = self._operation
        tables = zip(operation.signature.tables, operation.partition_keys, strict=True)
        partitioned = [table.name for table, keys in tables if keys]
        own = operation.signature.tables[self._number].name
        return tuple([name for name in partitioned if name != own]) if own in partitioned else ()
