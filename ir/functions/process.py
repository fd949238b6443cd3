"""What a process table function declares, as data: its arguments, its state and its output (FLIP-440)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

import attrs

from ir.errors import ValidationException, did_you_mean
from ir.expressions import DescriptorLiteral, ResolvedExpression, ValueLiteral
from ir.identifiers import fold
from ir.inference.call_context import CallContext
from ir.inference.usage import WindowUsage
from ir.types import LogicalType, RowType

ON_TIME, UID = "on_time", "uid"
SYSTEM_ARGUMENTS = (ON_TIME, UID)
"""The arguments that every process table function takes without declaring them."""

ROWTIME = "rowtime"
"""The last column of the output of a call with ``on_time``."""

ATOMIC_COLUMN = "EXPR$0"
"""The column of an output that is no row."""

MOST_TABLES = 20


class ArgumentKind(Enum):
    """What is passed for an argument."""

    SCALAR = "scalar"
    TABLE = "table"
    DESCRIPTOR = "descriptor"


@attrs.frozen
class ProcessArgument:
    """An argument of a process table function.

    Attributes:
        name: what calls name it by.
        kind: what is passed.
        data_type: of a value, its type; of a table, the type of its rows, None where any will do.
        traits: the names of its traits, by those that the proposal has for them.
        is_optional: whether a call may leave it out.
        default: what stands for one that is left out, None for NULL.
        conversion: the class of the objects that the function is given of it, None for the usual one.
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
        """Whether a table is passed."""
        return self.kind is ArgumentKind.TABLE

    @property
    def is_set(self) -> bool:
        """Whether the rows of a partition of the table are seen together."""
        return "TABLE_AS_SET" in self.traits

    @property
    def passes_through(self) -> bool:
        """Whether all columns of the table stand before the output."""
        return "PASS_COLUMNS_THROUGH" in self.traits

    @property
    def requires_time(self) -> bool:
        """Whether the call has to name a time column of the table."""
        return "REQUIRES_TIME_ATTRIBUTE" in self.traits

    def describe(self) -> str:
        """Return the argument as signatures show it: ``input => {TABLE_AS_SET}``, ``i => INT``."""
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
    """How a function sees a state."""

    VALUE = "value"
    LIST = "list"
    MAP = "map"


@attrs.frozen
class StateEntry:
    """What a partition keeps from row to row.

    Attributes:
        name: the name of the parameter.
        kind: how the function sees it.
        data_type: its type: ROW for a value, ARRAY for a list, MAP for a map; or what infers that of a call.
        conversion: the class of a value, whose instances without arguments are its first values; None for a row.
        defaults: the first values of the fields of a row, by name; NULL where there are none.
        ttl: how long after its last change it is kept, None for as long as the partition.
        label: what ``clear_state`` names it by.
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
    """What ``on_timer`` or ``finish`` takes: a context or none, then states by the names of their parameters."""

    wants_context: bool
    states: tuple[str, ...]


@attrs.frozen(eq=False)
class ProcessSignature:
    """The signature of a process table function.

    ``eval`` takes a context, where it wants one, then all states, then all arguments, each in order.

    Attributes:
        name: what the function is called where it has no other name.
        arguments: its arguments.
        states: its states.
        output: returns the type of the rows of a call, or the type of their one value.
        wants_context: whether ``eval`` takes a context.
        on_timer: what ``on_timer`` takes, None where the function has none.
        finish: what ``finish`` takes, None where the function has none.
    """

    name: str
    arguments: tuple[ProcessArgument, ...]
    states: tuple[StateEntry, ...]
    output: Callable[[ProcessCall], LogicalType | None]
    wants_context: bool = False
    on_timer: MethodSignature | None = None
    finish: MethodSignature | None = None

    @property
    def tables(self) -> tuple[ProcessArgument, ...]:
        """The arguments that are tables."""
        return tuple([argument for argument in self.arguments if argument.is_table])

    @property
    def scalars(self) -> tuple[ProcessArgument, ...]:
        """The arguments that are values or descriptors."""
        return tuple([argument for argument in self.arguments if not argument.is_table])

    def describe(self, name: str) -> str:
        """Return the signature under a name: ``f(input => {TABLE_AS_SET}, on_time => DESCRIPTOR, uid => STRING)``."""
        own = [argument.describe() for argument in self.arguments]
        return f"{name}({', '.join([*own, f'{ON_TIME} => DESCRIPTOR', f'{UID} => STRING'])})"


@attrs.frozen
class ProcessInputs:
    """What a process table function takes, for those who list signatures: its calls are resolved in their own way."""

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
    """How a table is given to a call, by positions of its columns; a key that is computed has none.

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
        """Return the type of the rows of the table."""
        return self._data_type

    def partition_by_columns(self) -> tuple[tuple[int, ...], ...]:
        """Return the columns of PARTITION BY; nothing where there are none."""
        return self.partition_by

    def order_by_columns(self) -> tuple[tuple[int, ...], ...]:
        """Return the columns of ORDER BY; nothing where there are none."""
        return self.order_by

    def time_column(self) -> int | None:
        """Return the position of the column that ``on_time`` names, or None without ``on_time``."""
        return self._time

    def co_partition_args(self) -> tuple[str, ...]:
        """Return the names of the other table arguments that are co-partitioned with this one."""
        return self._co_partitioned


@attrs.frozen(eq=False)
class ProcessCall:
    """A call whose output or state is being typed: its arguments, their types, and the values of those that have one.

    Every argument can be asked for by its name or by its position; of an aggregate, how it is used, too, and of a
    function of values, which type is expected of it.
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
        """Return the type of an argument: ROW of a table, DESCRIPTOR of a list of columns."""
        data_type = self.types[self._position(argument)]
        assert data_type is not None
        return data_type

    def get_argument_data_types(self) -> list[LogicalType]:
        """Return the types of all arguments."""
        return [self.get_argument_data_type(position) for position in range(len(self.arguments))]

    def get_argument_value(self, argument: str | int) -> Any:
        """Return the value of a constant, the names of a descriptor as a tuple, and None of anything else."""
        given = self.values[self._position(argument)]
        if isinstance(given, DescriptorLiteral):
            return given.names
        return given.value if isinstance(given, ValueLiteral) else None

    def is_argument_literal(self, argument: str | int) -> bool:
        """Whether an argument is a constant, and so has a value."""
        return isinstance(self.values[self._position(argument)], (ValueLiteral, DescriptorLiteral))

    def is_argument_null(self, argument: str | int) -> bool:
        """Whether an argument is NULL, as one is that is left out and has no default."""
        given = self.values[self._position(argument)]
        return isinstance(given, ValueLiteral) and given.is_null

    def get_output_data_type(self) -> LogicalType | None:
        """Return the type that the surroundings of the call take a value of, None where they take several.

        It is nullable. A cast around the call says it, the declared type of the argument or the column that the value
        is for, or what a function is declared to return of which the call is the body. It is None for an aggregate,
        which is computed in a step of its own.
        """
        return None if self.context is None else self.context.expected_output

    def is_grouped_aggregation(self) -> bool:
        """Whether the call aggregates groups by keys: ``GROUP BY k``, but neither all rows nor those of a window.

        Without a condition, each such group has a row.
        """
        return self.context is not None and self.context.is_grouped

    def is_filtered_aggregation(self) -> bool:
        """Whether the call aggregates only rows for which a condition holds: ``FILTER (WHERE …)``."""
        return self.context is not None and self.context.is_filtered

    def is_distinct_aggregation(self) -> bool:
        """Whether the call aggregates each value once: ``DISTINCT``."""
        return self.context is not None and self.context.distinct

    def get_window(self) -> WindowUsage | None:
        """Return the window over which the call is computed, ``OVER (…)``, None where it is over none."""
        return None if self.context is None else self.context.window

    def get_set_semantics(self, argument: str | int) -> TableSemantics | None:
        """Return how a table is partitioned and ordered, None of what is no table."""
        return self.semantics[self._position(argument)]


def columns_of_output(output: LogicalType) -> RowType:
    """Return the row of an output, which for a single value has one column."""
    from ir.types import RowField

    return output if isinstance(output, RowType) else RowType((RowField(ATOMIC_COLUMN, output),), nullable=False)
