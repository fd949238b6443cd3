"""Declarations of async functions, and how queries hold them."""

from __future__ import annotations

import functools
from typing import Any, Generic, TypeVar

import pytest

from ir.errors import ValidationException
from ir.functions.definition import FunctionKind
from tableapi import AsyncScalarFunction, EnvironmentSettings, ScalarFunction, TableEnvironment, udf, udtf
from tableapi.expressions import call, col
from tableapi.udf import UserDefinedFunctionWrapper


class Lookup(AsyncScalarFunction):
    """Look up a value."""

    def __init__(self, table: str = "a") -> None:
        self.table = table

    async def eval(self, key: int, language: str = "en") -> str:  # type: ignore[override]  # its own parameters
        return f"{self.table}{key}{language}"


async def fetch(key: int, times: int | None = None) -> str:
    """Fetch it."""
    return str(key)


class WithCall:
    """An object that is called."""

    async def __call__(self, key: int) -> str:
        return str(key)


@pytest.mark.parametrize(
    "given",
    [fetch, Lookup, Lookup("b"), functools.partial(fetch, times=1), WithCall()],
    ids=lambda given: str(type(given)),
)
def test_asynchronous_functions(given: Any) -> None:
    made = udf(given, ["BIGINT"], "STRING NOT NULL")
    assert made.function.kind is FunctionKind.ASYNC_SCALAR
    assert made.function.result.as_summary_string() == "STRING NOT NULL"
    assert made.function.parameters[0].name == "key"


T = TypeVar("T")
K = TypeVar("K")


class Asking(AsyncScalarFunction, Generic[K, T]):
    """The lowest layer, in which both type variables are open."""

    async def eval(self, key: K, others: list[K] | None = None) -> dict[str, T]:  # type: ignore[override]  # its own
        return {str(key): await self.answer(key)}

    async def answer(self, key: K) -> T:
        raise NotImplementedError


class Numbered(Asking[int, T], Generic[T]):
    """A layer that sets one of the types; its remaining variable has another position than below."""


class Text(Numbered[str]):
    """The layer that is used."""

    async def answer(self, key: int) -> str:
        return f"{key}!"


class Further(Text):
    """A further layer, without types."""


def test_generic_classes_in_layers() -> None:
    """AsyncCalcITCase.testMultiLayerGeneric: the types come from the upper layers."""
    for made in (Text(), Further()):
        assert repr(udf(made)).partition("(")[2] == (
            "key: BIGINT NOT NULL, others: ARRAY<BIGINT NOT NULL>) -> MAP<STRING, STRING NOT NULL> NOT NULL>"
        )
    with pytest.raises(ValidationException, match="does not say what is in it"):
        udf(Numbered())


def test_types_and_defaults() -> None:
    assert repr(udf(fetch)) == "<async scalar function fetch(key: BIGINT NOT NULL, times: BIGINT) -> STRING NOT NULL>"
    made = udf(fetch, input_types=["INT", "INT"], result_type="VARCHAR(3)", name="other")
    assert repr(made) == "<async scalar function other(key: INT, times: INT) -> VARCHAR(3)>"
    assert made.definition.documentation.doc == "Fetch it."


@udf(timeout="5 s")
async def decorated(key: int) -> str:
    """Be decorated."""
    return str(key)


def test_the_decorator_keeps_the_function() -> None:
    assert isinstance(decorated, UserDefinedFunctionWrapper)
    assert dict(decorated.function.options.values) == {"timeout": 5.0}
    coroutine = decorated.func(3)
    assert coroutine.cr_code.co_name == "decorated"
    coroutine.close()


class NoCoroutine(AsyncScalarFunction):
    """A function whose eval is not a coroutine."""

    def eval(self, key: int) -> str:  # type: ignore[override]  # that is what is wrong with it
        return str(key)


class NoCoroutineOfMany(Lookup):
    """A function whose eval_batch is not a coroutine."""

    def eval_batch(self, calls: list[Any]) -> list[Any]:
        return calls


def test_rejected_declarations() -> None:
    with pytest.raises(ValidationException, match=r"NoCoroutine is an asynchronous function.*'async def eval'"):
        udf(NoCoroutine)
    with pytest.raises(ValidationException, match="'async def eval_batch'"):
        udf(NoCoroutineOfMany)
    with pytest.raises(ValidationException, match="fetch is a coroutine: it would never be awaited"):
        udtf(fetch, result_types=["INT"])
    with pytest.raises(ValidationException, match="plain is no asynchronous function, and has no timeout"):

        @udf(timeout="3 s")
        def plain(key: int) -> str:
            return str(key)

    async def untyped(key):  # type: ignore[no-untyped-def]  # that is what is wrong with it
        return key

    with pytest.raises(ValidationException, match="type of the result of untyped is not known"):
        udf(untyped)


@pytest.fixture
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    env = TableEnvironment.create(settings)
    env.create_temporary_view("t", env.from_elements([(1, "de")], ["id", "lang"]))
    return env


def test_a_call_is_written_like_any_other(env: TableEnvironment) -> None:
    env.create_temporary_system_function("lookup", Lookup)
    found = env.from_path("t").select(call("lookup", col("id"), col("lang")).alias("v"))
    text = found.as_serializable_string()
    assert "`lookup`(CAST(`id` AS BIGINT), `lang`) AS `v`" in text
    assert env.sql_query(text).query_operation is found.query_operation
    env.drop_temporary_system_function("lookup")

    class Synchronous(ScalarFunction):
        def eval(self, key: int, language: str = "en") -> str:  # type: ignore[override]  # its own parameters
            return ""

    env.create_temporary_system_function("lookup", Synchronous())
    assert env.sql_query(text).as_serializable_string() == text


def test_all_kinds_of_names(env: TableEnvironment) -> None:
    env.get_config().set("python.functions.packages", "tests")
    env.create_temporary_system_function("a", fetch_wrapped)
    env.create_temporary_function("b", fetch_wrapped)
    env.create_function("c", decorated)
    env.execute_sql("CREATE TEMPORARY FUNCTION d AS 'tests.async_functions.test_declaration.Lookup' LANGUAGE PYTHON")
    t = env.from_path("t")
    found = t.select(*[call(name, col("id")).alias(name) for name in "abcd"], fetch_wrapped(col("id")).alias("e"))
    assert found.get_resolved_schema().names == ("a", "b", "c", "d", "e")
    again = env.sql_query("SELECT a(id), memory.default_database.b(id), c(id), d(key => id) FROM t")
    assert "`memory`.`default_database`.`c`(CAST(`id` AS BIGINT))" in again.as_serializable_string()


fetch_wrapped = udf(fetch)


def test_where_no_function_of_python_may_stand(env: TableEnvironment) -> None:
    env.create_temporary_system_function("fetch", udf(fetch))
    with pytest.raises(ValidationException, match="fetch is asynchronous, and cannot be called within a lambda on 'x'"):
        env.sql_query("SELECT TRANSFORM(ARRAY(id), x -> fetch(x)) FROM t")
