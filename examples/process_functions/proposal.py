"""The example functions of the proposal for process table functions (FLIP-440).

Source: https://cwiki.apache.org/confluence/pages/viewpage.action?pageId=298781093
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from tableapi import DataTypes, Row, RowKind
from tableapi.process_functions import (
    ArgumentHint,
    ArgumentTrait,
    CallContext,
    ChangelogMode,
    Context,
    OnTimerContext,
    ProcessTableFunction,
    State,
    StateRow,
    StaticArgument,
    TableAsSet,
    TypeInference,
    function_hint,
)
from tableapi.types import RowType


@dataclass
class Count:
    """The number of rows."""

    count: int = 0


class CountWithTimeout(ProcessTableFunction):
    """Count the rows of a partition, and emit the count after a minute without rows."""

    def eval(self, ctx: Context, state: State[Count], input: TableAsSet[Row]) -> None:
        state.count += 1
        timers = ctx.timers()
        now = timers.current_time()
        if now is not None:
            timers.register_on_time("timeout", now + dt.timedelta(minutes=1))

    def on_timer(self, ctx: OnTimerContext, state: Count) -> Iterator[Count]:
        yield state
        ctx.clear_all()


@dataclass
class Customer:
    """A customer as the join reads it."""

    name: str
    address: str


@dataclass
class Order:
    """An order as the join reads it."""

    order_id: int
    price: float


@dataclass
class JoinState:
    """The first row of each side, until both have matched."""

    matched: bool = False
    customer: Customer | None = None
    order: Order | None = None


@dataclass
class JoinResult:
    """A customer with an order."""

    customer: Customer
    order: Order


class OneMatchJoin(ProcessTableFunction):
    """Join exactly one customer with exactly one order of a key, and then forget both."""

    def eval(
        self,
        state: State[JoinState],
        customer: TableAsSet[Customer | None],
        order: TableAsSet[Order | None],
    ) -> Iterator[JoinResult]:
        if state.matched:
            return
        state.customer = state.customer or customer
        state.order = state.order or order
        if state.customer is not None and state.order is not None:
            yield JoinResult(state.customer, state.order)
            state.matched, state.customer, state.order = True, None, None


class BuiltInOneMatchJoin(ProcessTableFunction):
    """The same join for any two tables; it forgets a key that received no rows for ``ttl``."""

    def get_type_inference(self) -> TypeInference:
        def sides(call: CallContext) -> list[Any]:
            return [
                DataTypes.FIELD(side, call.get_argument_data_type(side).as_nullable()) for side in ("left", "right")
            ]

        traits = (ArgumentTrait.TABLE_AS_SET, ArgumentTrait.REQUIRES_TIME_ATTRIBUTE)
        return TypeInference(
            static_arguments=[
                StaticArgument.table("left", Row, False, *traits),
                StaticArgument.table("right", Row, False, *traits),
                StaticArgument.scalar("ttl", DataTypes.INTERVAL(DataTypes.SECOND(3)), False),
            ],
            state_type_strategies={
                "state": lambda call: DataTypes.ROW([DataTypes.FIELD("matched", DataTypes.BOOLEAN()), *sides(call)])
            },
            output_type_strategy=lambda call: DataTypes.ROW(sides(call)),
        )

    def eval(self, ctx: Context, state: StateRow, left: Row, right: Row, ttl: dt.timedelta) -> Iterator[Row]:
        timers = ctx.timers()
        now = timers.current_time()
        if now is not None:
            timers.register_on_time("timeout", now + ttl)
        if state.matched:
            return
        state.left = state.left or left
        state.right = state.right or right
        if state.left and state.right:
            yield Row(state.left, state.right)
            state.matched, state.left, state.right = True, None, None

    def on_timer(self, ctx: OnTimerContext) -> None:
        ctx.clear_all()


@dataclass
class LastValue:
    """The value with the latest time."""

    time: dt.datetime | None = None
    value: str | None = None


@function_hint(output="ROW<s STRING>")
class TimedLastValue(ProcessTableFunction):
    """Emit the value of each row that is later than all rows before it, and retract the value before."""

    def get_output_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.all()

    def eval(
        self,
        ctx: Context,
        state: State[LastValue],
        input: Annotated[Row, ArgumentHint(ArgumentTrait.TABLE_AS_SET, ArgumentTrait.REQUIRES_TIME_ATTRIBUTE)],
    ) -> Iterator[Row]:
        time = ctx.timers().current_time()
        if state.time is None:
            yield Row.of_kind(RowKind.INSERT, input.value)
        elif time is not None and time > state.time:
            yield Row.of_kind(RowKind.UPDATE_BEFORE, state.value)
            yield Row.of_kind(RowKind.UPDATE_AFTER, input.value)
        else:
            return
        state.time, state.value = time, input.value


class BuiltInChangelog(ProcessTableFunction):
    """Prefix each row with the symbol of its kind; every row of a table without changes is an insertion."""

    def get_input_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.all()

    def get_type_inference(self) -> TypeInference:
        def with_flag(call: CallContext) -> Any:
            rows = call.get_argument_data_type("input")
            assert isinstance(rows, RowType)
            return DataTypes.ROW([DataTypes.FIELD("flag", DataTypes.STRING().not_null()), *rows.fields])

        return TypeInference(
            static_arguments=[StaticArgument.table("input", Row, False, ArgumentTrait.TABLE_AS_ROW)],
            output_type_strategy=with_flag,
        )

    def eval(self, input: Row) -> Iterator[Row]:
        yield Row(input.get_row_kind().short_string(), *input)
