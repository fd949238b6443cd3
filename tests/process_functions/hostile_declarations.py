"""Classes with invalid declarations, each returned by a function."""

import asyncio
import functools
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from tableapi import DataTypes, Row
from tableapi.process_functions import (
    ArgumentHint,
    ArgumentTrait,
    ColumnList,
    Context,
    OnTimerContext,
    ProcessTableFunction,
    State,
    StaticArgument,
    TableAsRow,
    TableAsSet,
    TypeInference,
    function_hint,
)

Trait = ArgumentTrait
Rows = Iterator[str]
CASES: dict[str, Callable[[], Any]] = {}


def adding_to(cases: dict[str, Callable[[], Any]]) -> Callable[[str], Callable[[Callable[[], Any]], Callable[[], Any]]]:
    """Return a decorator that registers a function as a case under a name."""

    def case(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
        def add(make: Callable[[], Any]) -> Callable[[], Any]:
            assert name not in cases
            cases[name] = make
            return make

        return add

    return case


case = adding_to(CASES)


def with_eval(evaluate: Any, **members: Any) -> type:
    """Return a class F with ``eval`` and other members."""
    return type("F", (ProcessTableFunction,), {"eval": evaluate, **members})


@dataclass
class Good:
    count: int = 0


@dataclass
class Other:
    text: str = ""


class Plain:
    count = 0


# --- the class and its methods ---------------------------------------------------------------------------------------


@case("no eval")
def _() -> Any:
    return type("F", (ProcessTableFunction,), {})


@case("arguments of the constructor")
def _() -> Any:
    class F(ProcessTableFunction):
        def __init__(self, limit: int) -> None:
            self.limit = limit

        def eval(self, i: int) -> Rows:
            yield ""

    return F


@case("any number of arguments")
def _() -> Any:
    def evaluate(self: Any, *tables: TableAsSet[Row]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("any named arguments")
def _() -> Any:
    def evaluate(self: Any, r: TableAsSet[Row], **options: int) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("by its name alone")
def _() -> Any:
    def evaluate(self: Any, *, i: int) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("overloaded")
def _() -> Any:
    class F(ProcessTableFunction):
        @typing.overload
        def eval(self, i: int) -> Rows: ...

        @typing.overload
        def eval(self, i: str) -> Rows: ...

        def eval(self, i: Any) -> Rows:
            yield ""

    return F


@case("dispatched by its argument")
def _() -> Any:
    class F(ProcessTableFunction):
        @functools.singledispatchmethod
        def eval(self, i: int) -> Rows:
            yield ""

    return F


@case("a coroutine")
def _() -> Any:
    async def evaluate(self: Any, i: int) -> str:
        await asyncio.sleep(0)
        return ""

    return with_eval(evaluate)


@case("an asynchronous generator")
def _() -> Any:
    async def evaluate(self: Any, i: int) -> Any:
        yield ""

    return with_eval(evaluate)


@case("eval is no function")
def _() -> Any:
    return with_eval(5)


@case("Java's name of on_timer")
def _() -> Any:
    def evaluate(self: Any, state: State[Good], r: TableAsSet[Row]) -> Rows:
        yield ""

    return with_eval(evaluate, onTimer=evaluate)


@case("the proposal's name of on_timer")
def _() -> Any:
    def evaluate(self: Any, state: State[Good], r: TableAsSet[Row]) -> Rows:
        yield ""

    return with_eval(evaluate, onTime=evaluate)


@case("an annotation that names nothing")
def _() -> Any:
    def evaluate(self: Any, r: "TableAsSet[Missing]") -> Rows:  # type: ignore[name-defined]  # noqa: F821
        yield ""

    return with_eval(evaluate)


@case("an annotation that means nothing")
def _() -> Any:
    def evaluate(self: Any, r: "TableAsSet[Row][Row]") -> Rows:  # type: ignore[valid-type]
        yield ""

    return with_eval(evaluate)


@case("the context after an argument")
def _() -> Any:
    def evaluate(self: Any, r: TableAsSet[Row], ctx: Context) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("two contexts")
def _() -> Any:
    def evaluate(self: Any, ctx: Context, other: Context, r: TableAsSet[Row]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("the context of timers in eval")
def _() -> Any:
    def evaluate(self: Any, ctx: OnTimerContext, r: TableAsSet[Row]) -> Rows:
        yield ""

    return with_eval(evaluate)


# --- arguments -------------------------------------------------------------------------------------------------------


@case("no annotation")
def _() -> Any:
    def evaluate(self: Any, r: Any, i) -> Rows:  # type: ignore[no-untyped-def]
        yield ""

    return with_eval(evaluate)


@case("a row without a trait")
def _() -> Any:
    def evaluate(self: Any, r: Row) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("a class that is no type")
def _() -> Any:
    def evaluate(self: Any, i: Plain) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("of several types")
def _() -> Any:
    def evaluate(self: Any, i: int | str) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("on_time declared")
def _() -> Any:
    def evaluate(self: Any, r: TableAsSet[Row], on_time: ColumnList) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("uid declared, in capitals")
def _() -> Any:
    def evaluate(self: Any, UID: str) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("a name that is no name")
def _() -> Any:
    def evaluate(self: Any, r: Annotated[TableAsSet[Row], ArgumentHint(name="the table")]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("an empty name")
def _() -> Any:
    def evaluate(self: Any, i: Annotated[int, ArgumentHint(name="")]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("a name of other letters")
def _() -> Any:
    def evaluate(self: Any, größe: int) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("two names that differ in case")
def _() -> Any:
    def evaluate(self: Any, a: int, A: int) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("optional and not null")
def _() -> Any:
    def evaluate(self: Any, i: Annotated[int, ArgumentHint(is_optional=True)]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("a default of another type")
def _() -> Any:
    def evaluate(self: Any, i: int = "five") -> Rows:  # type: ignore[assignment]
        yield ""

    return with_eval(evaluate)


@case("a default that is a list")
def _() -> Any:
    def evaluate(self: Any, i: list[int] = [1]) -> Rows:  # noqa: B006
        yield ""

    return with_eval(evaluate)


@case("a default of a list of columns")
def _() -> Any:
    def evaluate(self: Any, d: ColumnList = ColumnList(["a"])) -> Rows:  # noqa: B008
        yield ""

    return with_eval(evaluate)


@case("a type that is none")
def _() -> Any:
    def evaluate(self: Any, i: Annotated[int, ArgumentHint(type="INTEGERS")]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("an optional table")
def _() -> Any:
    def evaluate(self: Any, r: TableAsSet[Row] = None) -> Rows:  # type: ignore[assignment]
        yield ""

    return with_eval(evaluate)


@case("a table of values")
def _() -> Any:
    def evaluate(self: Any, r: TableAsSet[int]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("a table of a class that is no row")
def _() -> Any:
    def evaluate(self: Any, r: TableAsRow[Plain]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("a table of a type that is no row")
def _() -> Any:
    def evaluate(self: Any, r: Annotated[TableAsRow[Row], ArgumentHint(type="ARRAY<INT>")]) -> Rows:
        yield ""

    return with_eval(evaluate)


# --- traits ----------------------------------------------------------------------------------------------------------


@case("by row and by set")
def _() -> Any:
    def evaluate(self: Any, r: Annotated[TableAsSet[Row], Trait.TABLE_AS_ROW]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("a table that is a value")
def _() -> Any:
    def evaluate(self: Any, r: Annotated[TableAsSet[Row], Trait.SCALAR]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("a trait that is a text")
def _() -> Any:
    def evaluate(self: Any, r: Annotated[Row, ArgumentHint("TABLE_AS_SET")]) -> Rows:  # type: ignore[arg-type]
        yield ""

    return with_eval(evaluate)


def _requiring(trait: ArgumentTrait, *others: ArgumentTrait) -> Any:
    def evaluate(self: Any, r: Any) -> Rows:
        yield ""

    evaluate.__annotations__["r"] = Annotated[Row, ArgumentHint(trait, *others)]
    return with_eval(evaluate)


for _trait in Trait:
    if _trait.requires:
        CASES[f"{_trait.name} alone"] = functools.partial(_requiring, _trait)
        if Trait.TABLE_AS_SET in _trait.requires and Trait.TABLE_AS_ROW not in _trait.requires:
            CASES[f"{_trait.name} by row"] = functools.partial(_requiring, _trait, Trait.TABLE_AS_ROW)
CASES["OPTIONAL_COPARTITION without OPTIONAL_PARTITION_BY"] = functools.partial(
    _requiring, Trait.OPTIONAL_COPARTITION, Trait.TABLE_AS_SET
)
CASES["passing through what changes"] = functools.partial(
    _requiring, Trait.PASS_COLUMNS_THROUGH, Trait.TABLE_AS_SET, Trait.SUPPORT_UPDATES
)


@case("a typed table that changes")
def _() -> Any:
    def evaluate(self: Any, r: Annotated[TableAsSet[Good], Trait.SUPPORT_UPDATES]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("two tables, one by row")
def _() -> Any:
    def evaluate(self: Any, a: TableAsSet[Row], b: TableAsRow[Row]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("two tables, one passed through")
def _() -> Any:
    def evaluate(self: Any, a: TableAsSet[Row], b: Annotated[TableAsSet[Row], Trait.PASS_COLUMNS_THROUGH]) -> Rows:
        yield ""

    return with_eval(evaluate)


@case("more than twenty tables")
def _() -> Any:
    def evaluate(self: Any) -> Rows:
        yield ""

    names = [f"t{n}" for n in range(21)]
    namespace: dict[str, Any] = {"TableAsSet": TableAsSet, "Row": Row, "Rows": Rows}
    exec(f"def evaluate(self, {', '.join(f'{n}: TableAsSet[Row]' for n in names)}) -> Rows: ...", namespace)
    return with_eval(namespace["evaluate"])


# --- output ----------------------------------------------------------------------------------------------------------


@case("no output")
def _() -> Any:
    def evaluate(self: Any, r: TableAsRow[Row]):  # type: ignore[no-untyped-def]
        yield ""

    return with_eval(evaluate)


@case("output of any row")
def _() -> Any:
    def evaluate(self: Any, r: TableAsRow[Row]) -> Iterator[Row]:
        yield r

    return with_eval(evaluate)


@case("output of another type by on_timer")
def _() -> Any:
    def evaluate(self: Any, r: TableAsSet[Row]) -> Iterator[Good]:
        yield Good()

    def on_timer(self: Any) -> Iterator[Other]:
        yield Other()

    return with_eval(evaluate, on_timer=on_timer)


@case("output of a class that is no type")
def _() -> Any:
    def evaluate(self: Any, r: TableAsRow[Row]) -> Iterator[Plain]:
        yield Plain()

    return with_eval(evaluate)


@case("output of months")
def _() -> Any:
    def evaluate(self: Any, r: TableAsRow[Row]) -> Iterator[Annotated[Any, DataTypes.INTERVAL(DataTypes.MONTH())]]:
        yield 1

    return with_eval(evaluate)


@case("output of no fields")
def _() -> Any:
    def evaluate(self: Any, r: TableAsRow[Row]) -> Any:
        yield ()

    return function_hint(output=DataTypes.ROW([]))(with_eval(evaluate))


@case("a hint that is no type")
def _() -> Any:
    def evaluate(self: Any, r: TableAsRow[Row]) -> Any:
        yield ()

    return function_hint(output="ROW<a>")(with_eval(evaluate))


# --- inference -------------------------------------------------------------------------------------------------------


def _inferring(inference: Any) -> Any:
    def evaluate(self: Any, r: Any) -> Any:
        yield ""

    return with_eval(evaluate, get_type_inference=lambda self: inference)


_TABLE = StaticArgument.table("r", Row, False, Trait.TABLE_AS_SET)
for _name, _inference in {
    "an inference that is none": "ROW<a INT>",
    "an inference of another argument": TypeInference([StaticArgument.scalar("i", "INT")], "INT"),
    "an inference of too many arguments": TypeInference([_TABLE, StaticArgument.scalar("i", "INT")], "INT"),
    "an inference with a state that eval lacks": TypeInference([_TABLE], "INT", {"s": "ROW<n INT>"}),
    "an inference with an argument that is none": TypeInference([_TABLE, "i"], "INT"),  # type: ignore[list-item]
    "an inference with an output that is no type": TypeInference([_TABLE], "WHOLE"),
    "an inference with an output that is a number": TypeInference([_TABLE], 5),  # type: ignore[arg-type]
    "an inference with a table of values": TypeInference([StaticArgument.table("r", "INT")], "INT"),
    "an inference with an optional table": TypeInference([StaticArgument.table("r", Row, True)], "INT"),
    "an inference with an optional value that is not null": TypeInference(
        [StaticArgument.scalar("r", "INT NOT NULL", True)], "INT"
    ),
    "an inference with a reserved name": TypeInference([StaticArgument.scalar("uid", "STRING")], "INT"),
}.items():
    CASES[_name] = functools.partial(_inferring, _inference)
