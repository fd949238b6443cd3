"""Functions at module level, which catalogs can store."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, NamedTuple

from tableapi import (
    AggregateFunction,
    FunctionContext,
    Row,
    ScalarFunction,
    TableAggregateFunction,
    udaf,
    udf,
    udtaf,
    udtf,
)
from tableapi.process_functions import ListView, ProcessTableFunction, TableAsRow, TableAsSet


@udf
def stored(text: str) -> str:
    """Say that the stored function was called."""
    return "stored"


class StoredAggregate(AggregateFunction):
    """Says that the stored aggregate was called."""

    def create_accumulator(self) -> list[str]:
        return []

    def accumulate(self, accumulator: list[str], *args: str) -> None:
        pass

    def get_value(self, accumulator: list[str]) -> str:
        return "stored"


stored_aggregate = udaf(StoredAggregate(), ["STRING"], "STRING")


@udtf(result_types=["STRING"])
def stored_rows(given: Any) -> list[str]:
    """Say that the stored table function was called."""
    return ["stored"]


class ProcessStored(ProcessTableFunction):
    """Says that the stored process table function was called."""

    kind = "stored"

    def eval(self, input: TableAsRow[Row]) -> Iterator[str]:
        yield self.kind


class ProcessAsSystem(ProcessStored):
    """Says that the temporary system function was called."""

    kind = "temporary system"


class ProcessAsTemporary(ProcessStored):
    """Says that the temporary function was called."""

    kind = "temporary"


@udf
def plus(a: int, b: int = 10) -> int:
    """Add two numbers, of which the second is 10 unless it is given."""
    return a + b


@udf
def longest(*texts: str) -> str:
    """Return the longest of texts."""
    return max(texts, key=len)


@udf
def length_or_none(text: str | None) -> int:
    """Return the length of a text, -1 for NULL."""
    return -1 if text is None else len(text)


@udtf(result_types=["STRING", "INT"])
def words(text: str) -> Iterator[Any]:
    """Yield each word of a text, and its length."""
    for word in text.split():
        yield word, len(word)


class Point(NamedTuple):
    """A point."""

    x: int
    label: str | None


@dataclasses.dataclass
class Everything:
    """A row with a field of many types."""

    price: Annotated[Decimal, (10, 2)]
    at: dt.datetime
    day: dt.date
    numbers: list[int]
    shares: dict[str, float]
    point: Point
    raw: bytes
    lasts: dt.timedelta


@udf
def everything(i: int) -> Everything:
    """Return a row with a field of many types."""
    point = Point(i, None if i % 2 else "even")
    day = dt.date(2024, 2, 28) + dt.timedelta(days=i)
    at = dt.datetime(2024, 1, i)
    return Everything(Decimal(i) / 3, at, day, [i] * i, {"a": i / 2}, point, b"\x00" * i, dt.timedelta(hours=i))


@udf
def described(value: Any) -> str:
    """Return the Python representation of a value of any type."""
    return repr(value)


class Total(AggregateFunction):
    """The sum of numbers, 0 without any."""

    def create_accumulator(self) -> list[int]:
        return [0]

    def accumulate(self, accumulator: list[int], *args: int) -> None:
        accumulator[0] += args[0]

    def get_value(self, accumulator: list[int]) -> int:
        return accumulator[0]


total = udaf(Total(), input_types=["BIGINT"])


class Largest(TableAggregateFunction):
    """The two largest numbers, and their ranks."""

    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], *args: int) -> None:
        accumulator.append(args[0])

    def emit_value(self, accumulator: list[int]) -> Iterator[tuple[int, int]]:
        for place, value in enumerate(sorted(accumulator, reverse=True)[:2], 1):
            yield value, place


largest = udtaf(Largest(), input_types=["BIGINT"], result_type="ROW<value BIGINT, place INT>")


class Greeting(ScalarFunction):
    """A greeting that ``open`` reads from a job parameter."""

    greeting: str | None = None

    def open(self, function_context: FunctionContext) -> None:
        self.greeting = function_context.get_job_parameter("python.job.greeting", "hello")

    def eval(self, *args: str) -> str:
        return f"{self.greeting} {args[0]}"


greeting = udf(Greeting(), input_types=["STRING"], result_type="STRING")


@udf(input_types=["BIGINT"], result_type="BIGINT", func_type="pandas")
def pandas_twice(column: Any) -> Any:
    """Return twice a column of pandas."""
    return column * 2


@udf(input_types=["BIGINT"], result_type="BIGINT", func_type="arrow")
def arrow_twice(column: Any) -> Any:
    """Return twice a column of Arrow."""
    import pyarrow.compute

    return pyarrow.compute.multiply(column, 2)


@udaf(input_types=["DOUBLE"], result_type="DOUBLE", func_type="pandas")
def pandas_mean(column: Any) -> Any:
    """Return the mean of a column of pandas."""
    return column.mean()


@udf
async def async_twice(number: int) -> int:
    """Return twice a number, after a pause."""
    await asyncio.sleep(0)
    return number * 2


class Twice(ProcessTableFunction):
    """Emit each row's id twice."""

    def eval(self, input: TableAsRow[Row]) -> Iterator[int]:
        yield input.id * 2


class Numbered(ProcessTableFunction):
    """Number the rows of each partition."""

    def eval(self, count: ListView[int], input: TableAsSet[Row]) -> Iterator[int]:
        count.add(input.id)
        yield len(count.get())


@udaf(input_types=["DOUBLE"], result_type="DOUBLE", func_type="arrow")
def arrow_mean(column: Any) -> Any:
    """Return the mean of a column of Arrow."""
    import pyarrow.compute

    return pyarrow.compute.mean(column).as_py()
