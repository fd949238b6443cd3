"""Fixtures: a service, functions that call it, and tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from tableapi import Row, TableEnvironment, udf
from tests.async_functions.service import Service, ask


@pytest.fixture(scope="package")
def service() -> Iterator[Service]:
    """The service, which runs as long as the tests of this package."""
    service = Service()
    yield service
    service.close()


@pytest.fixture(autouse=True)
def forgetful(service: Service) -> None:
    """Hide the calls of other tests from each test."""
    service.reset()


@pytest.fixture(scope="package")
def env(spark: SparkSession, service: Service) -> Iterator[TableEnvironment]:
    """An environment with functions and tables: ``t`` has ids from 1 to 6, and k is 0 for odd and 1 for even ids."""
    env = TableEnvironment.create(spark=spark.newSession())
    port = service.port

    @udf
    async def f(x: int) -> int:
        return int(await ask(port, "f", x)) * 10

    @udf
    async def g(x: int) -> int:
        return int(await ask(port, "g", x)) + 1

    @udf
    async def h(x: int | None, y: int | None) -> str:
        return f"{await ask(port, 'h', x, y)}|{y}"

    @udf
    async def is_even(x: int) -> bool:
        return int(await ask(port, "is_even", x)) % 2 == 0

    @udf(result_type="ROW<a BIGINT, b STRING>")
    async def pair(x: int) -> Row:
        return Row(a=await ask(port, "pair", x), b=str(x))

    @udf(deterministic=False)
    async def ticket(x: int) -> int:
        return int(await ask(port, "ticket", x))

    @udf
    def plus_one(x: int) -> int:
        return x + 1

    @udf
    async def total(numbers: list[int]) -> int:
        return sum(await ask(port, "total", numbers))

    @udf(output_mode="ALLOW_UNORDERED", buffer_capacity=8)
    async def u(x: int) -> int:
        return int(await ask(port, "u", x)) * 100

    for function in (f, g, h, is_even, pair, ticket, plus_one, total, u):
        env.create_temporary_system_function(function.__name__, function)
    rows = [(i, 1 - i % 2, None if i == 3 else i * 2) for i in range(1, 7)]
    env.create_temporary_view("t", env.from_elements(rows, ["id", "k", "v"]))
    others = [(2, "two"), (4, "four"), (9, "nine")]
    env.create_temporary_view("other", env.from_elements(others, ["oid", "name"]))
    env.create_temporary_view("nested", env.from_elements([(Row(x=1, y=2), [1, 2])], ["r", "a"]))
    yield env
    for view in ("t", "other", "nested"):
        env.drop_temporary_view(view)
