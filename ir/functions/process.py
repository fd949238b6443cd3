"""The declaration of a process table function as data: arguments, state and output (FLIP-440)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from ir import light_attrs as attrs
from ir.errors import ValidationException, did_you_mean
from ir.expressions import DescriptorLiteral, ResolvedExpression, ValueLiteral
from ir.identifiers import fold
from ir.inference.call_context import CallContext
from ir.inference.usage import WindowUsage
from ir.types import LogicalType, RowType

ON_TIME, UID = "on_time", "uid"
SYSTEM_ARGUMENTS = (ON_TIME, UID)
"""Arguments that every process table function accepts without a declaration."""

ROWTIME = "rowtime"
"""The last output column of a call with ``on_time``."""

ATOMIC_COLUMN = "EXPR$0"
"""The name of the only output column if the output is not a row."""

MOST_TABLES = 20


class ArgumentKind(Enum):
    """What a call passes for an argument."""

    SCALAR = "scalar"
    TABLE = "table"
    DESCRIPTOR = "descriptor"


@attrs.frozen
class ProcessArgument:
    """An argument of a process table function.

    Attributes:
        name: the name of the argument in calls.
        kind: what a call passes for the argument.
        data_type: the type of a value, or of the rows of a table; None accepts any type.
        traits: the names of its traits, as in the proposal.
        is_optional: whether a call may omit the argument.
        default: the value of an omitted argument, None for NULL.
        conversion: the class of the objects that the function receives, None for the default class.
    """

    name: str
    kind: ArgumentKind
    data_type: LogicalType | None = None
    traits: frozenset[str] = frozenset()
    is_optional: bool = False
    default: ValueLiteral | None = None
    conversion: Any = None

    @property
    def is_table(self) -> bool:
        """Whether the argument is a table."""
        return self.kind is ArgumentKind.TABLE

    @property
    def is_set(self) -> bool:
        """Whether the table has set semantics: the rows of a partition are processed together."""
        return "TABLE_AS_SET" in self.traits

    @property
    def passes_through(self) -> bool:
        """Whether all columns of the table precede those of the output."""
        return "PASS_COLUMNS_THROUGH" in self.traits

    @property
    def requires_time(self) -> bool:
        """Whether the call must name a time column of the table."""
        return "REQUIRES_TIME_ATTRIBUTE" in self.traits

    def describe(self) -> str:
        """Return the argument as shown in signatures: ``input => {TABLE_AS_SET}``, ``i => INT``."""
        if self.is_table:
            shown = "{" + ", ".join(sorted(self.traits, key=_trait_order)) + "}"
            if self.data_type is not None:
                shown = f"{self.data_type.as_nullable().as_summary_string()} {shown}"
        elif self.kind is ArgumentKind.DESCRIPTOR:
            shown = "DESCRIPTOR"
        else:
            shown = "ANY" if self.data_type is None else self.data_type.as_nullable().as_summary_string()
        return f"{self.name} => {shown}"


def _trait_order(trait: str) -> tuple[bool, str]:
    return not trait.startswith("TABLE_AS"), trait


class StateKind(Enum):
    """How a function accesses a state."""

    VALUE = "value"
    LIST = "list"
    MAP = "map"


@attrs.frozen
class StateEntry:
    """A state, which a partition keeps from row to row.

    Attributes:
        name: the name of the parameter.
        kind: how the function accesses the state.
        data_type: the type: ROW for a value, ARRAY for a list, MAP for a map; or a function that infers the type of a
            call.
        conversion: the class of a value, which is instantiated without arguments for the initial value; None for a row.
        defaults: the initial values of the fields of a row, by name; other fields are NULL.
        ttl: the lifetime after the last change, None for the lifetime of the partition.
        label: the name for ``clear_state``.
    """

    name: str
    kind: StateKind
    data_type: LogicalType | Callable[[ProcessCall], LogicalType | None]
    conversion: Any = None
    defaults: Mapping[str, Any] = attrs.field(factory=dict)
    ttl: dt.timedelta | None = None
    label: str = attrs.field(default=attrs.Factory(lambda self: self.name, takes_self=True))


@attrs.frozen
class MethodSignature:
    """The parameters of a method beside ``eval``.

    Attributes:
        wants_context: whether the first parameter is the context.
        states: the states of ``on_timer`` and ``finish``, by parameter name.
        arguments: the arguments of ``on_late``, by name.
    """

    wants_context: bool
    states: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()


@attrs.frozen(eq=False)
class ProcessSignature:
    """The signature of a process table function.

    ``eval`` takes an optional context, then all states, then all arguments, in declared order.

    Attributes:
        name: the name of a function that is not registered under another name.
        arguments: the arguments.
        states: the states.
        output: infers the type of the output rows of a call, or of their single value.
        wants_context: whether ``eval`` takes a context.
        on_timer: the parameters of ``on_timer``, None if the function does not define it.
        finish: the parameters of ``finish``, None if the function does not define it.
        on_late: the parameters of ``on_late``, None if the function does not define it.
        changes: the names of the kinds of rows that the function yields; empty if all are insertions, so that the
            output has no column of kinds.
    """

    name: str
    arguments: tuple[ProcessArgument, ...]
    states: tuple[StateEntry, ...]
    output: Callable[[ProcessCall], LogicalType | None]
    wants_context: bool = False
    on_timer: MethodSignature | None = None
    finish: MethodSignature | None = None
    on_late: MethodSignature | None = None
    changes: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[ProcessArgument, ...]:
        """The table arguments."""
        return tuple([argument for argument in self.arguments if argument.is_table])

    @property
    def scalars(self) -> tuple[ProcessArgument, ...]:
        """The scalar and descriptor arguments."""
        return tuple([argument for argument in self.arguments if not argument.is_table])

    def describe(self, name: str) -> str:
        """Return the signature under a name: ``f(input => {TABLE_AS_SET}, on_time => DESCRIPTOR, uid => STRING)``."""
        own = [argument.describe() for argument in self.arguments]
        return f"{name}({', '.join([*own, f'{ON_TIME} => DESCRIPTOR', f'{UID} => STRING'])})"


@attrs.frozen
class ProcessInputs:
    """The inputs of a process table function, for lists of signatures only: its calls are resolved separately."""

    signature: ProcessSignature

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        return None

    def strategy_for(self, position: int) -> None:
        return None

    def accepts_count(self, count: int) -> bool:
        return count <= len(self.signature.arguments) + len(SYSTEM_ARGUMENTS)

    def describe_counts(self) -> str:
        return f"up to {len(self.signature.arguments) + len(SYSTEM_ARGUMENTS)} arguments"

    def signatures(self, name: str) -> list[str]:
        return [self.signature.describe(name)]


@attrs.frozen
class TableSemantics:
    """The semantics of a table argument, by positions of its columns; a computed key has no position.

    A path of positions leads into columns: ``(2, 0)`` is the first field of the third column.

    >>> from ir import types as t
    >>> row = t.RowType((t.RowField("k", t.INT), t.RowField("ts", t.TIMESTAMP)))
    >>> semantics = TableSemantics(row, partition_by=((0,),), order_by=((1,),), time=1, co_partitioned=("right",))
    >>> semantics.partition_by_columns(), semantics.order_by_columns(), semantics.time_column()
    (((0,),), ((1,),), 1)
    >>> semantics.co_partition_args()
    ('right',)
    """

    _data_type: LogicalType
    partition_by: tuple[tuple[int, ...], ...]
    order_by: tuple[tuple[int, ...], ...]
    _time: int | None
    _co_partitioned: tuple[str, ...] = ()

    def data_type(self) -> LogicalType:
        """Return the row type of the table."""
        return self._data_type

    def partition_by_columns(self) -> tuple[tuple[int, ...], ...]:
        """Return the columns of PARTITION BY, an empty tuple without PARTITION BY."""
        return self.partition_by

    def order_by_columns(self) -> tuple[tuple[int, ...], ...]:
        """Return the columns of ORDER BY, an empty tuple without ORDER BY."""
        return self.order_by

    def time_column(self) -> int | None:
        """Return the position of the column that ``on_time`` names, or None without ``on_time``."""
        return self._time

    def co_partition_args(self) -> tuple[str, ...]:
        """Return the names of the other table arguments that are co-partitioned with this one."""
        return self._co_partitioned


@attrs.frozen(eq=False)
class ProcessCall:
    """A call during type inference: its arguments, their types, and the values of constants.

    The methods take an argument's name or position. A call of an aggregate also knows its usage, and a call of a scalar
    function its expected type.
    """

    name: str
    arguments: tuple[ProcessArgument, ...]
    types: tuple[LogicalType | None, ...]
    values: tuple[ResolvedExpression | None, ...]
    semantics: tuple[TableSemantics | None, ...]
    context: CallContext | None = None

    def _position(self, argument: str | int) -> int:
        if isinstance(argument, int):
            if not 0 <= argument < len(self.arguments):
                raise ValidationException(f"{self.name} has {len(self.arguments)} arguments, and none at {argument}.")
            return argument
        names = [known.name for known in self.arguments]
        folded = [fold(name) for name in names]
        if fold(argument) not in folded:
            raise ValidationException(f"{self.name} has no argument {argument!r}.{did_you_mean(argument, names)}")
        return folded.index(fold(argument))

    def get_argument_data_type(self, argument: str | int) -> LogicalType:
        """Return the type of an argument: ROW for a table, DESCRIPTOR for a list of columns."""
        data_type = self.types[self._position(argument)]
        assert data_type is not None
        return data_type

    def get_argument_data_types(self) -> list[LogicalType]:
        """Return the types of all arguments."""
        return [self.get_argument_data_type(position) for position in range(len(self.arguments))]

    def get_argument_value(self, argument: str | int) -> Any:
        """Return the value of a constant, the names of a descriptor as a tuple, or None for another argument."""
        given = self.values[self._position(argument)]
        if isinstance(given, DescriptorLiteral):
            return given.names
        return given.value if isinstance(given, ValueLiteral) else None

    def is_argument_literal(self, argument: str | int) -> bool:
        """Whether an argument is a constant, so that its value is known."""
        return isinstance(self.values[self._position(argument)], (ValueLiteral, DescriptorLiteral))

    def is_argument_null(self, argument: str | int) -> bool:
        """Whether an argument is NULL, including an omitted argument without a default."""
        given = self.values[self._position(argument)]
        return isinstance(given, ValueLiteral) and given.is_null

    def get_output_data_type(self) -> LogicalType | None:
        """Return the type that the surrounding expression expects, None if it accepts several types.

        The type is nullable. It comes from a cast around the call, from the declared type of the argument or the column
        that takes the value, or from the declared result of a function whose body is the call. It is None for an
        aggregate, which is computed in a separate step.
        """
        return None if self.context is None else self.context.expected_output

    def is_grouped_aggregation(self) -> bool:
        """Whether the call aggregates groups by keys (``GROUP BY k``), rather than all rows or an OVER window.

        Without FILTER, each such group contains a row.
        """
        return self.context is not None and self.context.is_grouped

    def is_filtered_aggregation(self) -> bool:
        """Whether the call has a condition: ``FILTER (WHERE …)``."""
        return self.context is not None and self.context.is_filtered

    def is_distinct_aggregation(self) -> bool:
        """Whether the call has ``DISTINCT``, so that it aggregates distinct values."""
        return self.context is not None and self.context.distinct

    def get_window(self) -> WindowUsage | None:
        """Return the window of the call, ``OVER (…)``, or None."""
        return None if self.context is None else self.context.window

    def get_set_semantics(self, argument: str | int) -> TableSemantics | None:
        """Return the partitioning and the order of a table argument, None for another argument."""
        return self.semantics[self._position(argument)]


def columns_of_output(output: LogicalType) -> RowType:
    """Return the output as a row type; a single value becomes one column."""
    from ir.types import RowField

    return output if isinstance(output, RowType) else RowType((RowField(ATOMIC_COLUMN, output),), nullable=False)
