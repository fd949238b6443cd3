"""Process table functions that the tests call; other tests check their results."""

# Without deferred annotations, as most people write classes.
import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from tableapi import DataTypes, Row
from tableapi.process_functions import (
    ArgumentHint,
    ArgumentTrait,
    ColumnList,
    Context,
    ListView,
    MapView,
    OnTimerContext,
    ProcessTableFunction,
    State,
    StateHint,
    StateRow,
    StaticArgument,
    TableAsRow,
    TableAsSet,
    TypeInference,
    function_hint,
)

Trait = ArgumentTrait


@dataclass
class Count:
    """The number of rows."""

    count: int = 0


@dataclass
class Customer:
    """A row of customers."""

    id: int
    name: str | None


@dataclass
class Order:
    """A row of orders."""

    order_id: int
    amount: float | None


class Score(NamedTuple):
    """A value with a name."""

    name: str
    score: int | None


class Scalars(ProcessTableFunction):
    """Scalar arguments only."""

    def eval(self, i: int, b: bool | None = None) -> Iterator[Score]:
        yield Score(str(b), i)


class Nothing(ProcessTableFunction):
    """No arguments."""

    def eval(self) -> Iterator[str]:
        yield "empty"


class ByRow(ProcessTableFunction):
    """One row at a time."""

    def eval(self, r: TableAsRow[Row], i: int) -> Iterator[str]:
        yield f"{r} {i}"


class TypedByRow(ProcessTableFunction):
    """One row at a time, as an object."""

    def eval(self, u: TableAsRow[Customer], i: int = 1) -> Iterator[str]:
        yield f"{u} {i}"


class BySet(ProcessTableFunction):
    """The rows of a partition."""

    def eval(self, ctx: Context, state: State[Count], r: TableAsSet[Row], i: int = 1) -> Iterator[Count]:
        state.count += i
        yield state


class CountWithTimeout(ProcessTableFunction):
    """The number of rows, after a minute without any."""

    def eval(self, ctx: Context, state: State[Count], input: TableAsSet[Row]) -> Iterator[Count]:
        state.count += 1
        timers = ctx.timers()
        time = timers.current_time()
        if time is not None:
            timers.register_on_time("timeout", time + dt.timedelta(minutes=1))
        yield from ()

    def on_timer(self, ctx: OnTimerContext, state: Count) -> Iterator[Count]:
        yield state
        ctx.clear_all()


class Whole(ProcessTableFunction):
    """All rows as one partition, unless the call gives partition keys."""

    def eval(
        self, r: Annotated[TableAsSet[Row], Trait.OPTIONAL_PARTITION_BY], d: ColumnList | None = None
    ) -> Iterator[str]:
        yield str(d)

    def finish(self) -> Iterator[str]:
        yield "end"


class Passing(ProcessTableFunction):
    """Each row with an additional column."""

    def eval(self, r: Annotated[TableAsRow[Row], Trait.PASS_COLUMNS_THROUGH]) -> Iterator[str]:
        yield "x"


class PassingSets(ProcessTableFunction):
    """Each row of a partition with an additional column."""

    def eval(self, r: Annotated[TableAsSet[Row], Trait.PASS_COLUMNS_THROUGH]) -> Iterator[str]:
        yield "x"


class Timed(ProcessTableFunction):
    """A table that requires a time attribute and an order."""

    def eval(
        self,
        r: Annotated[Row, Trait.TABLE_AS_SET, Trait.REQUIRES_TIME_ATTRIBUTE, Trait.REQUIRES_ORDER_BY],
    ) -> Iterator[Score]:
        yield Score("a", 1)


class Nested(ProcessTableFunction):
    """A table that accepts nested fields as partition and sort keys."""

    def eval(
        self,
        r: Annotated[
            TableAsSet[Row], Trait.SUPPORTS_NESTED_PARTITION_BY, Trait.SUPPORTS_NESTED_ORDER_BY, Trait.REQUIRES_ORDER_BY
        ],
    ) -> Iterator[str]:
        yield "x"


@dataclass
class Seen:
    """The first row of each side."""

    customer: Customer | None = None
    order: Order | None = None


@dataclass
class Pair:
    """A customer with an order."""

    customer: Customer
    order: Order


class OneMatchJoin(ProcessTableFunction):
    """The first pair of each partition."""

    def eval(
        self, ctx: Context, state: State[Seen], customer: TableAsSet[Customer | None], orders: TableAsSet[Order | None]
    ) -> Iterator[Pair]:
        yield from ()


class ManyStates(ProcessTableFunction):
    """Every kind of state."""

    def eval(
        self,
        total: Annotated[Count, StateHint(name="sum", ttl=dt.timedelta(hours=1))],
        row: Annotated[StateRow, StateHint(type="ROW<n BIGINT NOT NULL, s STRING>", defaults={"n": 1})],
        seen: ListView[str],
        counts: Annotated[MapView[str, int], StateHint(ttl=dt.timedelta(0))],
        r: TableAsSet[Row],
    ) -> Iterator[str]:
        yield "x"

    def finish(self, ctx: Context, counts: MapView[str, int], total: Count) -> Iterator[str]:
        yield "y"


class Inferred(ProcessTableFunction):
    """Types that depend on the call: on those of the tables, and on the requested number of columns."""

    def get_type_inference(self) -> TypeInference:
        return TypeInference(
            [
                StaticArgument.table("left", Row, False, Trait.TABLE_AS_SET),
                StaticArgument.table("right", Row, False, Trait.TABLE_AS_SET),
                StaticArgument.scalar("copies", DataTypes.INT(), True),
                StaticArgument.descriptor("wanted", True),
            ],
            output_type_strategy=lambda call: DataTypes.ROW(
                [
                    DataTypes.FIELD(f"left{n}", call.get_argument_data_type("left"))
                    for n in range(call.get_argument_value("copies") or 1)
                ]
                + [DataTypes.FIELD("right", call.get_argument_data_type(1))]
            ),
            state_type_strategies={
                "state": StateHint(
                    type=lambda call: DataTypes.ROW([DataTypes.FIELD("left", call.get_argument_data_type(0))])
                )
            },
        )

    def eval(self, state: Any, left: Any, right: Any, copies: Any, wanted: Any) -> Any:
        yield left, right


@function_hint(output="ROW<flag STRING, n DECIMAL(5, 2)>")
class Hinted(ProcessTableFunction):
    """Output from a hint; arguments with other names and types than in Python."""

    def eval(
        self,
        table: Annotated[Row, ArgumentHint(Trait.TABLE_AS_ROW, name="input")],
        small: Annotated[int, DataTypes.TINYINT()],
        wait: dt.timedelta | None = None,
        anything: Any = None,
    ) -> Any:
        yield "x", 1


EVERY = {
    "scalars": Scalars,
    "nothing_": Nothing,
    "by_row": ByRow,
    "typed_by_row": TypedByRow,
    "by_set": BySet,
    "count_with_timeout": CountWithTimeout,
    "whole": Whole,
    "passing": Passing,
    "passing_sets": PassingSets,
    "timed": Timed,
    "nested_keys": Nested,
    "one_match_join": OneMatchJoin,
    "many_states": ManyStates,
    "inferred": Inferred,
    "hinted": Hinted,
}


class InferredOptional(ProcessTableFunction):
    """Two tables that may both be without partition keys."""

    def eval(
        self,
        left: Annotated[TableAsSet[Row], Trait.OPTIONAL_PARTITION_BY, Trait.OPTIONAL_COPARTITION],
        right: Annotated[TableAsSet[Row], Trait.OPTIONAL_PARTITION_BY],
    ) -> Iterator[str]:
        yield "x"


EVERY["inferred_optional"] = InferredOptional
