"""Declarations of functions: parameters and types from annotations or arguments, and rejected ones."""

from __future__ import annotations

import datetime as dt
import sys
import typing
from collections.abc import AsyncIterator, Iterator
from decimal import Decimal
from functools import partial
from typing import Annotated, Any, Optional, overload

import pytest

from ir.errors import ValidationException
from tableapi import (
    AggregateFunction,
    AsyncScalarFunction,
    DataTypes,
    EnvironmentSettings,
    FunctionContext,
    ScalarFunction,
    TableAggregateFunction,
    TableEnvironment,
    TableFunction,
    udaf,
    udf,
    udtaf,
    udtf,
)
from tableapi.process_functions import StaticArgument, TypeInference
from tableapi.user_functions.annotations import type_of
from tests.user_functions import functions

Number = typing.NewType("Number", int)


class Called:
    """An object that can be called."""

    def __call__(self, number: Number) -> str:
        return str(number)


def product(one: int, other: int) -> int:
    """Return a product."""
    return one * other


@pytest.mark.parametrize(
    ("annotation", "data_type"),
    [
        (bool, "BOOLEAN NOT NULL"),
        (int, "BIGINT NOT NULL"),
        (float, "DOUBLE NOT NULL"),
        (str, "STRING NOT NULL"),
        (bytes, "BYTES NOT NULL"),
        (Decimal, "DECIMAL(38, 18) NOT NULL"),
        (Annotated[Decimal, (10, 2)], "DECIMAL(10, 2) NOT NULL"),
        (Annotated[Decimal | None, (10, 2)], "DECIMAL(10, 2)"),
        (Annotated[Any, DataTypes.TINYINT()], "TINYINT"),
        (dt.date, "DATE NOT NULL"),
        (dt.time, "TIME(6) NOT NULL"),
        (dt.datetime, "TIMESTAMP NOT NULL"),
        (dt.timedelta, "INTERVAL DAY TO SECOND NOT NULL"),
        (Optional[int], "BIGINT"),  # noqa: UP045  # as older code writes it
        (int | None, "BIGINT"),
        (list[int | None], "ARRAY<BIGINT> NOT NULL"),
        (typing.Sequence[str], "ARRAY<STRING NOT NULL> NOT NULL"),
        (dict[str, float], "MAP<STRING, DOUBLE NOT NULL> NOT NULL"),
        (functions.Point, "ROW<`x` BIGINT NOT NULL, `label` STRING> NOT NULL"),
        (Number, "BIGINT NOT NULL"),
        (typing.Literal["a", "b"], "STRING NOT NULL"),
        (typing.Literal[1, None], "BIGINT"),
        (typing.Literal["a"] | None, "STRING"),
        (tuple[int, str], "ROW<`f0` BIGINT NOT NULL, `f1` STRING NOT NULL> NOT NULL"),
        (Any, "None"),
    ],
)
def test_types_of_annotations(annotation: Any, data_type: str) -> None:
    found = type_of(annotation)
    assert ("None" if found is None else found.as_summary_string()) == data_type


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (complex, r"The annotation complex means no data type\. Accepted are bool, int"),
        (list, r"The annotation list does not say what is in it; write list\[int\]"),
        (int | str, r"is of several types"),
        (typing.Literal["a", 1], r"Literal\['a', 1\] has values of several types; one alone has a type"),
    ],
)
def test_annotations_without_a_type(annotation: Any, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        type_of(annotation)


@pytest.mark.parametrize(
    ("function", "shown"),
    [
        (functions.plus, "<scalar function plus(a: BIGINT NOT NULL, b: BIGINT NOT NULL) -> BIGINT NOT NULL>"),
        (functions.described, "<scalar function described(value: ANY) -> STRING NOT NULL>"),
        (functions.words, "<table function words(text: STRING NOT NULL) -> ROW<`f0` STRING, `f1` INT>>"),
        (functions.total, "<aggregate function Total(args0: BIGINT) -> BIGINT NOT NULL>"),
        (
            functions.largest,
            "<table aggregate function Largest(args0: BIGINT) -> ROW<`value` BIGINT, `place` INT>>",
        ),
        (
            udf(lambda i, j: i + j, input_types=[DataTypes.INT(), "DECIMAL(5, 2)"], result_type="INT", name="add"),
            "<scalar function add(i: INT, j: DECIMAL(5, 2)) -> INT>",
        ),
        (udf(Called()), "<scalar function Called(number: BIGINT NOT NULL) -> STRING NOT NULL>"),
        (udf(partial(product, 2)), "<scalar function partial(other: BIGINT NOT NULL) -> BIGINT NOT NULL>"),
        (udf(len, ["STRING"], "INT"), "<scalar function len(obj: STRING) -> INT>"),
        (udtf(lambda: [1], result_types=DataTypes.INT(), name="one"), "<table function one() -> ROW<`f0` INT>>"),
    ],
)
def test_declarations_of_functions(function: Any, shown: str) -> None:
    assert repr(function) == shown


class Bare(ScalarFunction):
    def eval(self, *args: Any) -> Any:
        return args[0]


class Needy(ScalarFunction):
    def __init__(self, host: str) -> None:
        self.host = host

    def eval(self, *args: Any) -> str:
        return self.host


class Unfinished(TableFunction):
    pass


async def coroutine(x: int) -> int:
    return x


def only_by_name(*, x: int) -> int:
    return x


def generator(x: int) -> Iterator[int]:
    yield x


async def async_generator(x: int) -> AsyncIterator[int]:
    yield x


class Generators:
    def __call__(self, x: int) -> Iterator[int]:
        yield x


class Yielding(ScalarFunction):
    def eval(self, x: int) -> int:
        yield x


class Awaiting(ScalarFunction):
    async def eval(self, x: int) -> int:
        return x


class AwaitingRows(TableFunction):
    async def eval(self, x: int) -> int:  # type: ignore[override]  # that is what is wrong with it
        return x


class YieldingAsync(AsyncScalarFunction):
    async def eval(self, x: int) -> AsyncIterator[int]:  # type: ignore[override]  # that is what is wrong with it
        yield x


class Aggregates(AggregateFunction):
    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], x: int) -> None:
        accumulator.append(x)

    def get_value(self, accumulator: list[int]) -> int:
        return len(accumulator)


class YieldingValue(Aggregates):
    def get_value(self, accumulator: list[int]) -> int:  # type: ignore[misc]  # that is what is wrong with it
        yield 1


class YieldingRows(Aggregates):
    def accumulate(self, accumulator: list[int], x: int) -> None:
        yield


class AwaitingOpen(Aggregates):
    async def open(self, function_context: FunctionContext) -> None:  # type: ignore[override]  # the same
        pass


WRONG = [
    (lambda: udf(generator), r"generator yields, but a scalar function gives one value\. Return it; .*with udtf\."),
    (lambda: udf(generator, ["INT"], "INT", func_type="pandas"), r"generator yields, but a scalar function"),
    (lambda: udf(Generators(), ["INT"], "INT"), r"Generators yields, but a scalar function gives one value"),
    (lambda: udf(partial(generator), ["INT"], "INT", name="part"), r"part yields, but a scalar function gives one"),
    (lambda: udf(Yielding), r"Yielding\.eval yields, but .*declare it with udtf and derive from TableFunction\."),
    (lambda: udf(async_generator), r"async_generator yields from 'async def', but .*, written with def alone\."),
    (
        lambda: udf(YieldingAsync),
        r"YieldingAsync\.eval yields from 'async def', but an asynchronous function gives one",
    ),
    (lambda: udf(Awaiting), r"Awaiting\.eval is a coroutine: .*Derive from AsyncScalarFunction, or write it as"),
    (lambda: udtf(AwaitingRows), r"AwaitingRows\.eval is a coroutine: it would never be awaited\. Write it as"),
    (lambda: udtf(async_generator), r"async_generator yields from 'async def': it would never be awaited\. Write it"),
    (lambda: udaf(generator, ["INT"], "INT", func_type="arrow"), r"generator yields, but an aggregate gives one value"),
    (lambda: udaf(YieldingValue), r"YieldingValue\.get_value yields, but .*; a table aggregate, declared with udtaf"),
    (lambda: udaf(YieldingRows), r"YieldingRows\.accumulate yields, so that a call would run none of it\."),
    (lambda: udaf(AwaitingOpen), r"AwaitingOpen\.open is a coroutine: it would never be awaited\."),
    (lambda: udaf(len, ["INT"], "INT"), r"len is an ordinary function, .*from AggregateFunction, or give func_type="),
    (lambda: udtaf(generator), r"generator is an ordinary function, .*derive a class from TableAggregateFunction\."),
    (
        lambda: udf(lambda x: x),
        r"The type of the result of function is not known: annotate it",
    ),
    (lambda: udf(Bare), r"The type of the result of Bare is not known"),
    (lambda: udf(Needy), r"The class Needy cannot be instantiated without arguments: .*host.*Pass an instance"),
    (lambda: udtf(Unfinished), r"The class Unfinished does not have the method eval"),
    (lambda: udtf(Bare), r"The class Bare does not derive from TableFunction"),
    (lambda: udaf(Bare()), r"Bare is no AggregateFunction\. Use the decorator of its kind"),
    (lambda: udtf(coroutine, result_types=["INT"]), r"coroutine is a coroutine: it would never be awaited"),
    (lambda: udf(5), r"5 is neither a function nor a ScalarFunction"),
    (lambda: udf(only_by_name), r"only_by_name takes 'x' only by its name"),
    (lambda: udf(lambda a, b: a, ["INT"], "INT"), r"takes 2 arguments, but input_types has 1; 'b' has none"),
    (lambda: udf(lambda a: a, ["INT", "INT"], "INT"), r"takes 1 arguments, but input_types has 2"),
    (lambda: udf(lambda a: a, ["INTT"], "INT"), r"input_types of function: .*has no type 'INTT'"),
    (lambda: udf(lambda a: a, [int], "INT"), r"input_types of function must be a type .*, but is <class 'int'>"),
    (lambda: udf(lambda a: a, result_type=["INT", "INT"]), r"gives one value, but result_type has 2 types"),
    (lambda: udf(lambda a: a, result_type="INT", func_type="polars"), r"func_type is one of 'general', 'pandas', 'arr"),
    (
        lambda: udf(lambda a: a, result_type="INTERVAL YEAR TO MONTH"),
        r"cannot return INTERVAL YEAR TO MONTH: Spark",
    ),
    (lambda: udf(lambda a: a, result_type="ARRAY<VARIANT>"), r"cannot return VARIANT"),
    (lambda: udtaf(functions.Largest(), func_type="pandas"), r"has the func_type 'general' only"),
]


@pytest.mark.parametrize(("make", "message"), WRONG)
def test_wrong_functions(make: Any, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        make()


class Added(ScalarFunction):
    """Add numbers, or concatenate strings."""

    @overload
    def eval(self, a: int, b: int = 0) -> int: ...
    @overload
    def eval(self, a: float, b: float = 0.0) -> float: ...
    @overload
    def eval(self, a: str, b: str = "") -> str: ...
    @overload
    def eval(self, a: str, b: str, c: int) -> str: ...
    def eval(self, *args: Any) -> Any:
        return args[0] + args[1] if len(args) == 2 else args[0]


@overload
def doubled(value: int) -> int: ...
@overload
def doubled(value: list[int]) -> list[int]: ...
def doubled(value: Any) -> Any:
    return value * 2


class Same(ScalarFunction):
    """Return the argument as an array, repeated ``times`` times."""

    def eval(self, value: Any, times: int = 1) -> Any:
        return [value] * times

    def get_type_inference(self) -> TypeInference:
        return TypeInference(
            [StaticArgument.scalar("value", None), StaticArgument.scalar("times", "INT", True)],
            lambda call: DataTypes.ARRAY(call.get_argument_data_type("value")),
        )


def env_in_memory() -> TableEnvironment:
    return TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())


@pytest.mark.parametrize(
    ("arguments", "text", "data_type"),
    [
        ("1, 2", "CAST(1 AS BIGINT), CAST(2 AS BIGINT)", "BIGINT"),
        ("1L", "1L", "BIGINT"),
        ("1.5, 2", "CAST(1.5 AS DOUBLE), CAST(2 AS DOUBLE)", "DOUBLE"),
        ("'a', 'b'", "'a', 'b'", "STRING"),
        ("'a', 'b', 1L", "'a', 'b', 1L", "STRING"),
        ("CAST(1 AS TINYINT), 2L", "CAST(CAST(1 AS TINYINT) AS BIGINT), 2L", "BIGINT"),
        # With a string and a number, two signatures need one cast; the first one is chosen.
        ("DATE '2024-01-01', 'x'", "CAST(DATE '2024-01-01' AS STRING), 'x'", "STRING"),
    ],
)
def test_overloads_are_chosen_by_the_types_of_the_arguments(arguments: str, text: str, data_type: str) -> None:
    env = env_in_memory()
    env.create_temporary_system_function("added", Added)
    query = env.sql_query(f"SELECT added({arguments}) AS v")
    assert str(query.get_resolved_schema()) == f"(`v` {data_type})"
    assert f"`added`({text})" in query.as_serializable_string()
    assert env.sql_query(query.as_serializable_string()).query_operation is query.query_operation


def test_annotations_without_a_type_are_reported_with_their_position() -> None:
    def taking(number: complex) -> int:
        return 1

    def giving(number: int) -> set[int]:
        return {number}

    with pytest.raises(
        ValidationException, match=r"^The parameter 'number' of taking: The annotation complex means no"
    ):
        udf(taking)
    with pytest.raises(ValidationException, match=r"^The result of giving: The annotation set means no data type"):
        udf(giving)


def test_rejected_overloads_are_all_reported() -> None:
    env = env_in_memory()
    env.create_temporary_system_function("added", Added)
    with pytest.raises(ValidationException, match=r"(?s)added\(a <BIGINT>.*added\(a <DOUBLE>.*added\(a <STRING>"):
        env.sql_query("SELECT added(ARRAY(1))")
    assert repr(udf(doubled)) == (
        "<scalar function doubled(value: BIGINT NOT NULL) -> BIGINT NOT NULL | "
        "doubled(value: ARRAY<BIGINT NOT NULL> NOT NULL) -> ARRAY<BIGINT NOT NULL> NOT NULL>"
    )


def test_types_that_a_class_infers_of_the_call() -> None:
    env = env_in_memory()
    env.create_temporary_system_function("same", Same)
    query = env.sql_query("SELECT same('a') AS a, same(1.5, 2) AS b, same(times => 3, value => DATE '2024-01-01') AS c")
    assert str(query.get_resolved_schema()) == (
        "(`a` ARRAY<STRING NOT NULL>, `b` ARRAY<DECIMAL(2, 1) NOT NULL>, `c` ARRAY<DATE NOT NULL>)"
    )
    assert repr(udf(Same)) == "<scalar function Same(value: ANY, times: INT) -> inferred of the call>"


class OtherNames(Same):
    def eval(self, value: Any, count: int = 1) -> Any:
        return value


class NoDefault(Same):
    def eval(self, value: Any, times: int) -> Any:
        return value


class NoType(Same):
    def get_type_inference(self) -> TypeInference:
        return TypeInference(
            [StaticArgument.scalar("value", None), StaticArgument.scalar("times", "INT")], lambda call: None
        )


def test_inferences_that_are_wrong() -> None:
    with pytest.raises(ValidationException, match=r"eval takes \[value, count\], but get_type_inference declares the"):
        udf(OtherNames)
    with pytest.raises(ValidationException, match=r"'times' of NoDefault may be left out, but has no default"):
        udf(NoDefault)
    env = env_in_memory()
    env.create_temporary_system_function("same", NoType)
    with pytest.raises(ValidationException, match=r"NoType has no result type for \(INT NOT NULL, INT NOT NULL\)"):
        env.sql_query("SELECT same(1, 2)")


def test_results_of_table_functions_are_the_yielded_rows() -> None:
    @udtf
    def pairs(text: str) -> Iterator[tuple[str, int]]:
        yield text, 1

    assert pairs.function.result.as_summary_string() == "ROW<`f0` STRING NOT NULL, `f1` BIGINT NOT NULL> NOT NULL"


def test_determinism_is_declared_by_class_or_decorator() -> None:
    class Dice(ScalarFunction):
        def eval(self, *args: Any) -> int:
            return 4

        def is_deterministic(self) -> bool:
            return False

    assert not udf(Dice()).definition.is_deterministic
    assert udf(Dice(), deterministic=True).definition.is_deterministic
    assert udf(lambda: 4, result_type="INT").definition.is_deterministic


def test_a_base_class_is_not_a_function() -> None:
    with pytest.raises(ValidationException, match=r"does not have the method accumulate, create"):
        udtaf(TableAggregateFunction, result_type="INT")


@pytest.mark.parametrize(
    ("decorator", "given", "nearest", "accepted"),
    [
        (udf, "determinstic", "deterministic", "input_types, result_type, deterministic, name, func_type"),
        (udf, "timout", "timeout", "of an asynchronous function, also [buffer_capacity, "),
        (udtf, "result_type", "result_types", "[input_types, result_types, deterministic, name]"),
        (udaf, "accumulator", "accumulator_type", "accumulator_type, deterministic, name, func_type]"),
        (udtaf, "functype", "func_type", "accumulator_type, deterministic, name, func_type]"),
    ],
)
def test_misspelt_argument_of_a_decorator_has_the_nearest_name(
    decorator: Any, given: str, nearest: str, accepted: str
) -> None:
    for call in (lambda: decorator(lambda x: x, **{given: False}), lambda: decorator(**{given: False})):
        with pytest.raises(ValidationException) as raised:
            call()
        message = str(raised.value)
        assert message.startswith(f"{decorator.__name__} has no argument {given!r}. Did you mean {nearest!r}?")
        assert accepted in message


def test_misspelt_argument_of_a_coroutine_has_the_nearest_name() -> None:
    async def waits(x: int) -> int:
        return x

    with pytest.raises(ValidationException, match=r"udf has no argument 'determinstic'\. Did you mean 'deterministic'"):
        udf(waits, determinstic=False)


def test_an_annotation_for_type_checkers_alone_leaves_the_other_arguments() -> None:
    source = "def late(a: Absent, b: int = 1) -> int: return b"
    # Python 3.14 evaluates annotations when they are read, as older Pythons do with the import.
    late = source if sys.version_info >= (3, 14) else f"from __future__ import annotations\n{source}"
    namespace: dict[str, Any] = {}
    exec(compile(late, "late", "exec", dont_inherit=True), namespace)
    assert repr(udf(namespace["late"], result_type="INT")) == "<scalar function late(a: ANY, b: ANY) -> INT>"
    with pytest.raises(ValidationException, match="The type of the result of late is not known"):
        udf(namespace["late"])
