"""What the runtime of a process table function is told: plain data, made by the planner and sent to the workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

import pyarrow as pa

SENTINEL = -1
"""The tag of the row that stands for an input without rows."""


class Given(Enum):
    """What a parameter of a method gets."""

    CONTEXT = "context"
    STATE = "state"
    TABLE = "table"
    SCALAR = "scalar"
    CONSTANT = "constant"


@dataclass(frozen=True)
class Parameter:
    """A parameter of ``eval``, ``on_timer`` or ``finish``.

    Attributes:
        given: what it gets.
        index: which state or table, by position in the plan; which scalar, by position among those of the call.
        value: the value of a constant, known when the query is planned; of a scalar, what makes of
            the value the object that is passed, if anything.
        name: what messages call it.
    """

    given: Given
    index: int = 0
    value: Any = None
    name: str = ""


@dataclass(frozen=True)
class StatePlan:
    """A state: ``create`` makes that of a new partition; ``ttl`` is in microseconds, None without one."""

    name: str
    create: Callable[[], Any]
    ttl: int | None = None


@dataclass(frozen=True)
class TablePlan:
    """A table argument, and where its columns are in a batch.

    Attributes:
        name: the argument's name.
        columns: the names of its columns.
        positions: where they are in the batch; or, with ``in_struct``, the one struct that holds them all.
        make: makes what ``eval`` is given of the values of a row; None for a row of any columns.
        converters: of a row of columns, what makes the values of some of them.
        partition_by: the paths of the columns of PARTITION BY, ``order_by`` likewise.
        time: the position of its time column among its columns, None without one.
        co_partitioned: the names of the tables that are partitioned together with it.
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


class OrderKey(NamedTuple):
    """A column that rows are sorted by: its position in a batch, and how."""

    position: int
    is_ascending: bool = True
    nulls_first: bool = True


@dataclass(frozen=True)
class Plan:
    """All that the runtime is told of one call of a process table function.

    Batches come with the rows of a partition one after the other; without ``order``, as the function sees them.

    Attributes:
        name: what messages call the function.
        uid: what the call is known by.
        function: the function itself.
        parameters: those of ``eval``.
        on_timer: those of ``on_timer``, None where the function has no such method.
        finish: those of ``finish``, None where the function has no such method.
        tables: the table arguments.
        states: the states.
        keys: the positions of the partition's keys in a batch; rows with equal keys are one partition.
        order: by what the runtime sorts the rows of a partition; nothing where they come sorted.
        has_partitions: whether rows are seen as sets; otherwise each row is seen by itself.
        time: the position of the row's time in a batch, None without ``on_time``.
        has_zone: whether times are those of TIMESTAMP_LTZ.
        tag: the position of the number of the row's table in a batch, None where there is only one table.
        forwarded: the positions of the columns of a batch that stand first in the output: those of PARTITION BY, or
            all columns of a table that is passed through.
        no_timers: why timers are not possible, None where they are.
        output: the types of all columns of the output: forwarded ones, those of the function, and the time.
        has_rowtime: whether the last column of the output is the time.
        is_atomic: whether what the function yields is the value of its only column, and not a row.
        job_parameters: what ``open`` can ask for.
    """

    name: str
    uid: str
    function: Any
    parameters: tuple[Parameter, ...]
    tables: tuple[TablePlan, ...]
    output: pa.Schema
    on_timer: tuple[Parameter, ...] | None = None
    finish: tuple[Parameter, ...] | None = None
    states: tuple[StatePlan, ...] = ()
    keys: tuple[int, ...] = ()
    order: tuple[OrderKey, ...] = ()
    has_partitions: bool = True
    time: int | None = None
    has_zone: bool = False
    tag: int | None = None
    forwarded: tuple[int, ...] = ()
    no_timers: str | None = None
    has_rowtime: bool = False
    is_atomic: bool = False
    job_parameters: Mapping[str, str] = field(default_factory=dict)
