"""Classes with invalid state, timers or ``finish``, each returned by a function."""

import datetime as dt
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

from tableapi import Row
from tableapi.process_functions import (
    ChangelogMode,
    ListView,
    MapView,
    OnTimerContext,
    State,
    StateHint,
    StateRow,
    TableAsRow,
    TableAsSet,
)
from tests.process_functions.hostile_declarations import Good, Plain, Rows, Trait, adding_to, with_eval

CASES: dict[str, Callable[[], Any]] = {}
case = adding_to(CASES)


@dataclass
class Lacking:
    count: int
    name: str = ""


@dataclass(frozen=True)
class Frozen:
    count: int = 0


@dataclass
class Failing:
    values: list[int] = field(default_factory=lambda: 1 / 0)  # type: ignore[arg-type, return-value]


class Fixed(NamedTuple):
    count: int = 0


# --- state -----------------------------------------------------------------------------------------------------------


@case("state without a partition")
def _() -> Any:
    def evaluate(self: Any, state: State[Good], r: TableAsRow[Row]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("state without a table")
def _() -> Any:
    def evaluate(self: Any, state: State[Good], i: int) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("state after an argument")
def _() -> Any:
    def evaluate(self: Any, r: TableAsSet[Row], state: State[Good]) -> Rows:
        yield ""

    return with_eval(evaluate)


def _state(annotation: Any, *default: Any) -> Any:
    def evaluate(self: Any, state: Any, r: TableAsSet[Row]) -> Rows:
        yield ""

    evaluate.__annotations__["state"] = annotation
    return with_eval(evaluate)


for _name, _annotation in {
    "a number as state": State[int],
    "a list as state": State[list[int]],
    "a dictionary as state": State[dict],
    "a NamedTuple as state": State[Fixed],
    "a frozen class as state": State[Frozen],
    "a class as state that is no data class": State[Plain],
    "state without defaults": State[Lacking],
    "state whose defaults fail": State[Failing],
    "optional state": State[Good | None],
    "state of no type": State[Any],
    "state that is a row of no type": State[StateRow],
    "state of a type that is no row": Annotated[StateRow, StateHint(type="BIGINT")],
    "state of a type that is none": Annotated[StateRow, StateHint(type="ROW<n WHOLE>")],
    "state with a default of another field": Annotated[StateRow, StateHint(type="ROW<n INT>", defaults={"m": 1})],
    "state with a field that has no default": Annotated[StateRow, StateHint(type="ROW<n INT NOT NULL>")],
    "a list of anything": ListView,
    "a list of Any": ListView[Any],
    "a list of a class that is no type": ListView[Plain],
    "a list by the type of a map": Annotated[ListView[int], StateHint(type="MAP<STRING, INT>")],
    "a map of anything": MapView,
    "a negative time to live": Annotated[Good, StateHint(ttl=dt.timedelta(days=-1))],
    "a time to live that is a number": Annotated[Good, StateHint(ttl=60)],  # type: ignore[arg-type]
}.items():
    CASES[_name] = functools.partial(_state, _annotation)


@case("state with a default")
def _() -> Any:
    def evaluate(self: Any, state: State[Good] = Good(), r: TableAsSet[Row] = None) -> Rows:  # type: ignore[assignment]  # noqa: B008
        yield ""

    return with_eval(evaluate)


@case("two states of one name")
def _() -> Any:
    def evaluate(
        self: Any, a: Annotated[Good, StateHint("s")], b: Annotated[Good, StateHint("s")], r: TableAsSet[Row]
    ) -> Rows:
        yield ""

    return with_eval(evaluate)


# --- on_timer and finish ---------------------------------------------------------------------------------------------


def _by_set(self: Any, state: State[Good], r: TableAsSet[Row]) -> Rows:
    yield ""


@case("on_timer takes a state of another name")
def _() -> Any:
    def on_timer(self: Any, ctx: OnTimerContext, stat: Good) -> Rows:
        yield ""

    return with_eval(_by_set, on_timer=on_timer)


@case("on_timer takes an argument")
def _() -> Any:
    def on_timer(self: Any, r: Any) -> Rows:
        yield ""

    return with_eval(_by_set, on_timer=on_timer)


@case("on_timer takes the context last")
def _() -> Any:
    def on_timer(self: Any, state: Good, ctx: OnTimerContext) -> Rows:
        yield ""

    return with_eval(_by_set, on_timer=on_timer)


@case("on_late takes a state")
def _() -> Any:
    def on_late(self: Any, state: Good, r: Row) -> Rows:
        yield ""

    return with_eval(_by_set, on_late=on_late)


@case("on_late takes a misspelled argument")
def _() -> Any:
    def on_late(self: Any, rr: Row) -> Rows:
        yield ""

    return with_eval(_by_set, on_late=on_late)


@case("on_late takes no table")
def _() -> Any:
    def on_late(self: Any) -> Rows:
        yield ""

    return with_eval(_by_set, on_late=on_late)


@case("on_late takes the context of a timer")
def _() -> Any:
    def on_late(self: Any, ctx: OnTimerContext, r: Row) -> Rows:
        yield ""

    return with_eval(_by_set, on_late=on_late)


@case("on_late of rows by themselves")
def _() -> Any:
    def evaluate(self: Any, r: TableAsRow[Row]) -> Rows:
        yield ""

    def on_late(self: Any, r: Row) -> Rows:
        yield ""

    return with_eval(evaluate, on_late=on_late)


@case("on_late without a table")
def _() -> Any:
    def evaluate(self: Any, n: int) -> Rows:
        yield ""

    def on_late(self: Any, n: int) -> Rows:
        yield ""

    return with_eval(evaluate, on_late=on_late)


@case("on_late gives another type")
def _() -> Any:
    def on_late(self: Any, r: Row) -> Iterator[int]:
        yield 1

    return with_eval(_by_set, on_late=on_late)


@case("a changelog mode that is none")
def _() -> Any:
    return with_eval(_by_set, get_output_changelog_mode=lambda self: "all")


@case("a changelog mode without kinds")
def _() -> Any:
    return with_eval(_by_set, get_input_changelog_mode=lambda self: ChangelogMode())


@case("changes without a table")
def _() -> Any:
    def evaluate(self: Any, n: int) -> Rows:
        yield ""

    return with_eval(evaluate, get_input_changelog_mode=lambda self: ChangelogMode.all())


@case("changes that pass columns through")
def _() -> Any:
    def evaluate(self: Any, r: Annotated[TableAsRow[Row], Trait.PASS_COLUMNS_THROUGH]) -> Rows:
        yield ""

    return with_eval(evaluate, get_input_changelog_mode=lambda self: ChangelogMode.upsert())


@case("changes of typed rows")
def _() -> Any:
    def evaluate(self: Any, r: TableAsSet[Good]) -> Rows:
        yield ""

    return with_eval(evaluate, get_input_changelog_mode=lambda self: ChangelogMode.all())


@case("on_timer of rows by themselves")
def _() -> Any:
    def evaluate(self: Any, r: TableAsRow[Row]) -> Rows:
        yield ""

    def on_timer(self: Any) -> Rows:
        yield ""

    return with_eval(evaluate, on_timer=on_timer)


@case("on_timer without a table")
def _() -> Any:
    def evaluate(self: Any, i: int) -> Rows:
        yield ""

    def on_timer(self: Any) -> Rows:
        yield ""

    return with_eval(evaluate, on_timer=on_timer)


@case("on_timer beside columns that pass through")
def _() -> Any:
    def evaluate(self: Any, r: Annotated[TableAsSet[Row], Trait.PASS_COLUMNS_THROUGH]) -> Rows:
        yield ""

    def on_timer(self: Any) -> Rows:
        yield ""

    return with_eval(evaluate, on_timer=on_timer)


@case("finish of rows by themselves")
def _() -> Any:
    def evaluate(self: Any, r: TableAsRow[Row]) -> Rows:
        yield ""

    def finish(self: Any) -> Rows:
        yield ""

    return with_eval(evaluate, finish=finish)


@case("finish beside columns that pass through")
def _() -> Any:
    def evaluate(self: Any, r: Annotated[TableAsSet[Row], Trait.PASS_COLUMNS_THROUGH]) -> Rows:
        yield ""

    def finish(self: Any) -> Rows:
        yield ""

    return with_eval(evaluate, finish=finish)


@case("finish with the context of timers")
def _() -> Any:
    def finish(self: Any, ctx: OnTimerContext) -> Rows:
        yield ""

    return with_eval(_by_set, finish=finish)


@case("finish of any number of states")
def _() -> Any:
    def finish(self: Any, *states: Good) -> Rows:
        yield ""

    return with_eval(_by_set, finish=finish)
