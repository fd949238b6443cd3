"""A function of each kind that fails on one row, and the required contents of its error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tableapi import (
    AggregateFunction,
    FunctionContext,
    Row,
    ScalarFunction,
    Table,
    TableAggregateFunction,
    udaf,
    udf,
    udtaf,
    udtf,
)
from tableapi.expressions import col
from tableapi.process_functions import ProcessTableFunction, TableAsRow
from tableapi.window.over import Over

ROWS = [(1, 1), (2, 1), (3, 2), (4, 2)]
"""The rows of each query's table: ``id`` and ``k``. All functions fail on the third row."""


def divided(number: int) -> int:
    """Return a number for all arguments except 3."""
    return 10 // (number - 3)


@udf
def scalar(number: int) -> int:
    """Fail as a scalar function."""
    return divided(number)


@udf(max_attempts=1)
async def asynchronous(number: int) -> int:
    """Fail as an asynchronous function."""
    return divided(number)


@udtf(result_types=["BIGINT"])
def table(number: int) -> Iterator[int]:
    """Fail as a table function that has already returned a row."""
    yield number
    yield divided(number)


def _of_series(column: Any) -> Any:
    return column.map(divided)


def _of_array(column: Any) -> Any:
    import pyarrow

    return pyarrow.array([divided(number) for number in column.to_pylist()])


def _sum_of_column(column: Any) -> int:
    listed = column.tolist() if hasattr(column, "tolist") else column.to_pylist()
    return sum(map(divided, listed))


of_pandas = udf(_of_series, ["BIGINT"], "BIGINT", func_type="pandas", name="of_pandas")
of_arrow = udf(_of_array, ["BIGINT"], "BIGINT", func_type="arrow", name="of_arrow")
pandas_aggregate = udaf(_sum_of_column, ["BIGINT"], "BIGINT", func_type="pandas", name="pandas_aggregate")
arrow_aggregate = udaf(_sum_of_column, ["BIGINT"], "BIGINT", func_type="arrow", name="arrow_aggregate")
# For the same argument, this function may return another result, so failed rows are not retried.
once = udf(_of_array, ["BIGINT"], "BIGINT", deterministic=False, func_type="arrow", name="once")


class Accumulates(AggregateFunction):
    """Fails when a row is added."""

    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], *args: int) -> None:
        accumulator.append(divided(args[0]))

    def get_value(self, accumulator: list[int]) -> int:
        return len(accumulator)


class Finishes(Accumulates):
    """Fails when the result of a group is requested."""

    def accumulate(self, accumulator: list[int], *args: int) -> None:
        accumulator.append(args[0])

    def get_value(self, accumulator: list[int]) -> int:
        return sum(map(divided, accumulator))


class Emits(TableAggregateFunction):
    """Fails when the rows of a group are requested."""

    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], *args: int) -> None:
        accumulator.append(args[0])

    def emit_value(self, accumulator: list[int]) -> Iterator[int]:
        for number in accumulator:
            yield divided(number)


class Opens(ScalarFunction):
    """Fails when it is opened."""

    def open(self, function_context: FunctionContext) -> None:
        divided(3)

    def eval(self, number: int) -> int:
        return number


class Processes(ProcessTableFunction):
    """Fails as a process table function."""

    def eval(self, input: TableAsRow[Row]) -> Iterator[int]:
        yield divided(input.id)


@udf(result_type="ROW<v BIGINT>")
def mapped(row: Any) -> tuple[int]:
    """Fail as a function of whole rows."""
    return (divided(row.id),)


@udtf(result_types=["BIGINT"])
def flat_mapped(row: Any) -> list[int]:
    """Fail as a table function of whole rows."""
    return [divided(row.id)]


opens = udf(Opens())
accumulates = udaf(Accumulates(), ["BIGINT"], "BIGINT")
finishes = udaf(Finishes(), ["BIGINT"], "BIGINT")
emits = udtaf(Emits(), ["BIGINT"], "ROW<v BIGINT>")


def _over(t: Table) -> Table:
    window = Over.partition_by(col("k")).order_by(col("id")).alias("w")
    return t.over_window(window).select(accumulates(col("id")).over(col("w")))


QUERIES: dict[str, tuple[Callable[[Table], Table], str]] = {
    "scalar": (lambda t: t.select(scalar(col("id"))), "The function scalar failed on (3): "),
    "open": (lambda t: t.select(opens(col("id"))), "The function Opens.open failed: "),
    "filter": (lambda t: t.filter(scalar(col("id")) > 0), "The function scalar failed on (3): "),
    "async": (lambda t: t.select(asynchronous(col("id"))), "The function asynchronous failed on (3) after 1 attempt: "),
    "pandas": (lambda t: t.select(of_pandas(col("id"))), "The function of_pandas failed on (3): "),
    "arrow": (lambda t: t.select(of_arrow(col("id"))), "The function of_arrow failed on (3): "),
    "arrow, once": (lambda t: t.select(once(col("id"))), "The function once failed on ("),
    "lateral": (lambda t: t.join_lateral(table(col("id")).alias("v")), "The function table failed on (3): "),
    "outer lateral": (
        lambda t: t.left_outer_join_lateral(table(col("id")).alias("v")),
        "The function table failed on (3): ",
    ),
    "map": (lambda t: t.map(mapped), "The function mapped failed on (Row(id=3, k=2)): "),
    "flat_map": (lambda t: t.flat_map(flat_mapped), "The function flat_mapped failed on (Row(id=3, k=2)): "),
    "aggregate": (
        lambda t: t.group_by(col("k")).select(accumulates(col("id"))),
        "The function Accumulates failed on (3): ",
    ),
    "value of a group": (
        lambda t: t.group_by(col("k")).select(finishes(col("id"))),
        "The function Finishes failed on ([",
    ),
    "over": (_over, "The function Accumulates failed on (3): "),
    "pandas aggregate": (
        lambda t: t.group_by(col("k")).select(pandas_aggregate(col("id"))),
        "The function pandas_aggregate failed on ([",
    ),
    "arrow aggregate": (
        lambda t: t.group_by(col("k")).select(arrow_aggregate(col("id"))),
        "The function arrow_aggregate failed on ([",
    ),
    "table aggregate": (
        lambda t: t.group_by(col("k")).flat_aggregate(emits(col("id"))).select(col("v")),
        "The function Emits failed on ([",
    ),
    "process": (
        lambda t: t.process(Processes),
        "The function Processes.eval failed on (input=Row(id=3)): ",
    ),
}
"""A query of each kind over the table, and the beginning of its error."""

ONE_OF_EACH = ("scalar", "async", "pandas", "lateral", "aggregate", "table aggregate", "process")
"""One query for each way of execution, for tests in which queries take long."""


def is_told(message: str, begins: str) -> bool:
    """Whether an error names the function, its arguments, the failure and the user's line, and nothing of Spark."""
    return (
        message.startswith(begins + "ZeroDivisionError: " if begins.endswith(": ") else begins)
        and "ZeroDivisionError: integer division or modulo by zero" in message
        and "return 10 // (number - 3)" in message
        and "/tableapi/spark/" not in message
        and "/pyspark/" not in message
        and "py4j" not in message
    )
