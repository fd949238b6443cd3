"""The instructions for the runtime of a process table function: plain data from the planner, sent to the workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

import pyarrow as pa

SENTINEL = -1
"""The tag of the row that stands for an input without rows."""


class Given(Enum):
    """The kind of value that a parameter of a method gets."""

    CONTEXT = "context"
    STATE = "state"
    TABLE = "table"
    SCALAR = "scalar"
    CONSTANT = "constant"


@dataclass(frozen=True)
class Parameter:
    """A parameter of ``eval``, ``on_timer``, ``finish`` or ``on_late``.

    Attributes:
        given: the kind of its value.
        index: the position of the state or table in the plan, or of the scalar in the call.
        value: the value of a constant, known when the query is planned; for a scalar, the converter to the object that
            is passed, or None.
        name: its name in messages.
    """

    given: Given
    index: int = 0
    value: Any = None
    name: str = ""


@dataclass(frozen=True)
class StatePlan:
    """A state: ``create`` makes its initial value; ``ttl`` is in microseconds, or None for no expiry."""

    name: str
    create: Callable[[], Any]
    ttl: int | None = None


@dataclass(frozen=True)
class TablePlan:
    """A table argument, and the positions of its columns in a batch.

    Attributes:
        name: the name of the argument.
        columns: the names of its columns.
        positions: the positions of its columns in the batch; with ``in_struct``, of the one struct that holds them.
        make: makes the argument of ``eval`` from the values of a row; None for a generic row.
        converters: for a generic row, converters of the values of some columns.
        partition_by, order_by: the paths of the columns of PARTITION BY and ORDER BY.
        time: the position of its time column among its columns, or None.
        co_partitioned: the names of the tables that are co-partitioned with it.
        kinds: the name of the column with the kinds of its rows; None if all are insertions.
    """

    name: str
    columns: tuple[str, ...]
    positions: tuple[int, ...]
    in_struct: bool = False
    make: Callable[..., Any] | None = None
    converters: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    partition_by: tuple[tuple[int, ...], ...] = ()
    order_by: tuple[tuple[int, ...], ...] = ()
    time: int | None = None
    co_partitioned: tuple[str, ...] = ()
    kinds: str | None = None


class OrderKey(NamedTuple):
    """A sort column: its position in a batch, and its order."""

    position: int
    is_ascending: bool = True
    nulls_first: bool = True


@dataclass(frozen=True)
class Plan:
    """The complete instructions for one call of a process table function.

    Batches contain the rows of each partition together; without ``order``, also in the order of processing.

    Attributes:
        name: the name of the function in messages.
        uid: the identifier of the call.
        function: the function itself.
        parameters: the parameters of ``eval``.
        on_timer: the parameters of ``on_timer``; None if the function has no such method.
        finish: the parameters of ``finish``; None if the function has no such method.
        on_late: the parameters of ``on_late``; None if the function has no such method.
        tables: the table arguments.
        states: the states.
        keys: the positions of the partition keys in a batch; rows with equal keys are one partition.
        order: the order by which the runtime sorts the rows of a partition; empty if they come sorted.
        has_partitions: whether the tables have set semantics; with row semantics, each row is processed by itself.
        time: the position of the row's time in a batch; None without ``on_time``.
        has_zone: whether times are TIMESTAMP_LTZ.
        tag: the position of the table number in a batch; None for a single table.
        forwarded: the positions of the batch columns with which the output begins: those of PARTITION BY, or all
            columns of a table that is passed through.
        no_timers: the reason why timers are not possible; None if they are.
        output: the schema of the output: forwarded columns, columns of the function, and the time.
        has_rowtime: whether the last column of the output is the time.
        is_atomic: whether the function yields the values of its only column instead of rows.
        job_parameters: the parameters that ``open`` can read.
        changes: the names of the kinds of rows that the function yields, which are the first column of its own; empty
            without such a column.
        call_seconds: how long a call may take before it is interrupted; None without a limit.
    """

    name: str
    uid: str
    function: Any
    parameters: tuple[Parameter, ...]
    tables: tuple[TablePlan, ...]
    output: pa.Schema
    on_timer: tuple[Parameter, ...] | None = None
    finish: tuple[Parameter, ...] | None = None
    on_late: tuple[Parameter, ...] | None = None
    states: tuple[StatePlan, ...] = ()
    keys: tuple[int, ...] = ()
    order: tuple[OrderKey, ...] = ()
    is_followed: bool = False
    has_partitions: bool = True
    time: int | None = None
    has_zone: bool = False
    tag: int | None = None
    forwarded: tuple[int, ...] = ()
    no_timers: str | None = None
    has_rowtime: bool = False
    is_atomic: bool = False
    job_parameters: Mapping[str, str] = field(default_factory=dict)
    changes: tuple[str, ...] = ()
    call_seconds: float | None = None


Kind = tuple[Any, ...]
"""How values of a type are stored: ``("integer",)``, ``("array", element)``, ``("map", key, value)``, or ``("row",
((name, kind), …))``."""


@dataclass(frozen=True)
class StoredState:
    """How a state is stored.

    Attributes:
        name: the name of the state.
        fields: the names of its fields: ``element`` of a list; ``key`` and ``value`` of a map.
        kinds: how the values of the fields are stored.
        makers: converters from plain values to the objects of the fields; None for those that need none.
        structure: ``value``, ``list`` or ``map``.
        ttl: the time to live in microseconds; None for no expiry.
    """

    name: str
    fields: tuple[str, ...]
    kinds: tuple[Kind, ...]
    makers: tuple[Callable[[Any], Any] | None, ...]
    structure: str = "value"
    ttl: int | None = None


class FieldForm(NamedTuple):
    """A field of a stored state.

    Attributes:
        name: its name.
        kind: how its values are stored.
        type: its type in words, for messages and readers.
        default: the stored form of its initial value.
    """

    name: str
    kind: Kind
    type: str
    default: Any = None

    @property
    def is_nullable(self) -> bool:
        """Whether the type has NULL."""
        return not self.type.endswith(" NOT NULL")


class StateForm(NamedTuple):
    """A stored state.

    Attributes:
        name: its name.
        structure: ``value``, ``list`` or ``map``.
        fields: the fields of a value; ``element`` of a list; ``key`` and ``value`` of a map.
        has_ttl: whether it has a time to live.
    """

    name: str
    structure: str
    fields: tuple[FieldForm, ...]
    has_ttl: bool = False


class StoredForm(NamedTuple):
    """How the states of a call are stored.

    Attributes:
        fingerprint: identifies the names and types; initial values may differ.
        states: the states.
        waiting: the columns of the rows that wait for the watermark, in words; empty if none wait.
    """

    fingerprint: bytes
    states: tuple[StateForm, ...]
    waiting: str = ""


@dataclass(frozen=True)
class StoredPlan:
    """The plan of a call over a stream, with the facts that only streams need.

    Attributes:
        variable: the name of the state in Spark's state store.
        states: how the states are stored, in the order of those of the plan.
        fingerprint: identifies the declared types of the states.
        keys: how the values of the partition keys are encoded.
        width: the number of columns of a row before those of the scalar arguments.
        has_watermark: whether the stream has a watermark.
        order: the order in which rows are processed when the watermark has passed them, by time first; empty if rows
            are processed as they come.
        is_followed: whether an operation with state follows the call, so that no time of its rows may be behind the
            watermark.
        forms: the forms in which the states have been stored, the current one last; the planner gives the current one.
    """

    variable: str
    states: tuple[StoredState, ...]
    fingerprint: bytes
    keys: tuple[Kind, ...]
    width: int
    has_watermark: bool
    order: tuple[OrderKey, ...] = ()
    is_followed: bool = False
    forms: tuple[StoredForm, ...] = ()
