"""User-defined functions of every kind."""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, assert_type

import pandas as pd

from tableapi import (
    AggregateFunction,
    AsyncScalarFunction,
    DataTypes,
    Expression,
    FunctionContext,
    ProcessTableFunction,
    Row,
    ScalarFunction,
    Table,
    TableAggregateFunction,
    TableEnvironment,
    TableFunction,
    udaf,
    udf,
    udtaf,
    udtf,
)
from tableapi.expressions import call, col, concat, descriptor, lit
from tableapi.inference import InputTypeStrategies, TypeInference, TypeStrategies
from tableapi.process_functions import Context, State, TableAsRow, TableAsSet
from tableapi.udf import UserDefinedFunctionWrapper


@udf
def shout(text: str) -> str:
    """Return the text, louder."""
    return text.upper() + "!"


@udf(result_type="INT", deterministic=True, name="letters")
def letters(text: str) -> int:
    """Return how many letters there are."""
    return len(text)


@udf(input_types=["DOUBLE"], result_type=DataTypes.DOUBLE(), func_type="pandas")
def doubled(values: pd.Series[float]) -> pd.Series[float]:
    """Return twice the values."""
    return values * 2


@udf(timeout=dt.timedelta(seconds=5), output_mode="ALLOW_UNORDERED", retry_strategy="FIXED_DELAY", on_failure="NULL")
async def looked_up(key: int) -> str:
    """Return what a service says."""
    return str(key)


@udtf(result_types=["STRING", "INT"])
def words(text: str) -> Iterator[tuple[str, int]]:
    """Yield words with their lengths."""
    for word in text.split():
        yield word, len(word)


class Larger(ScalarFunction):
    """The larger of two values of any type."""

    def open(self, function_context: FunctionContext) -> None:
        """Prepare."""
        self.least = int(function_context.get_job_parameter("least", "0"))

    def eval(self, left: int, right: int) -> int:
        """Return the value."""
        return max(left, right, self.least)

    def get_type_inference(self) -> TypeInference:
        """Return the types."""
        return TypeInference(
            input_type_strategy=InputTypeStrategies.sequence(
                InputTypeStrategies.logical("NUMERIC"), InputTypeStrategies.COMMON
            ),
            output_type_strategy=TypeStrategies.common(),
        )


class Lookup(AsyncScalarFunction):
    """Ask a service."""

    async def open(self, function_context: FunctionContext) -> None:
        """Prepare."""

    async def eval(self, key: int) -> str:
        """Return the value."""
        return str(key)


class Split(TableFunction):
    """Yield the parts of a text."""

    def eval(self, text: str, separator: str = " ") -> Iterator[str]:
        """Yield the rows."""
        yield from text.split(separator)


@dataclass
class Totals:
    """An accumulator."""

    count: int = 0
    sum: float = 0.0


class Mean(AggregateFunction):
    """The mean of values."""

    def create_accumulator(self) -> Totals:
        """Return an empty one."""
        return Totals()

    def accumulate(self, accumulator: Totals, value: float | None) -> None:
        """Add a row."""
        if value is not None:
            accumulator.count += 1
            accumulator.sum += value

    def get_value(self, accumulator: Totals) -> float | None:
        """Return the value."""
        return accumulator.sum / accumulator.count if accumulator.count else None


class Largest(TableAggregateFunction):
    """The two largest values."""

    def create_accumulator(self) -> list[int]:
        """Return an empty one."""
        return []

    def accumulate(self, accumulator: list[int], value: int) -> None:
        """Add a row."""
        accumulator.append(value)

    def emit_value(self, accumulator: list[int]) -> Iterator[Row]:
        """Yield the rows."""
        yield from [Row(value, place) for place, value in enumerate(sorted(accumulator)[-2:])]


@dataclass
class Seen:
    """The state of a partition."""

    count: int = 0


class Words(ProcessTableFunction):
    """Yield the words of rows."""

    def eval(self, input: TableAsRow[Row], least: int = 1) -> Iterator[str]:
        """Yield rows."""
        yield from [word for word in input[0].split() if len(word) >= least]


class Counts(ProcessTableFunction):
    """Count the rows of each partition, with a timer."""

    def eval(self, context: Context, seen: State[Seen], input: TableAsSet[Row]) -> Iterator[int]:
        """Yield rows."""
        seen.count += 1
        timers = context.timers()
        timers.register_on_time("end", dt.datetime(2026, 1, 1, 12))
        yield seen.count

    def on_timer(self, context: Context, seen: State[Seen]) -> Iterator[int]:
        """Yield rows."""
        yield -seen.count


mean = udaf(Mean(), input_types=["DOUBLE"], result_type="DOUBLE")
mean_of_class = udaf(Mean, result_type="DOUBLE")
largest = udtaf(Largest(), input_types=["BIGINT"], result_type="ROW<value BIGINT, place INT>")
added = udf(operator.add, ["BIGINT", "BIGINT"], "BIGINT", name="added")


@udaf(input_types=["DOUBLE"], result_type="DOUBLE", func_type="pandas")
def highest(values: pd.Series[float]) -> float:
    """Return the highest value."""
    return float(values.max())


def full_name(first: Expression[Any], last: Expression[Any]) -> Expression[str]:
    """Return an expression."""
    return concat(first, lit(" "), last)


def build(te: TableEnvironment) -> list[Table]:
    """Return queries that call the functions, without running them on Spark."""
    assert_type(shout, UserDefinedFunctionWrapper)
    assert_type(letters, UserDefinedFunctionWrapper)
    assert_type(words, UserDefinedFunctionWrapper)
    assert_type(mean, UserDefinedFunctionWrapper)
    assert_type(highest, UserDefinedFunctionWrapper)
    assert_type(largest, UserDefinedFunctionWrapper)
    assert_type(shout(col("text")), Expression[Any])
    te.create_temporary_system_function("shout", shout)
    te.create_temporary_system_function("larger", udf(Larger()))
    te.create_temporary_function("parts", Split)
    te.create_temporary_function("lookup", Lookup())
    te.create_temporary_function("full_name", full_name, input_types=["STRING", "STRING"], comment="Both names")
    te.create_temporary_system_function("words_of", Words())
    texts = te.from_elements([("a b", 1, 2.0)], ["text", "number", "value"])
    numbers = te.from_elements([(1, 2)], ["a", "b"])
    arguments: Sequence[Expression[Any]] = [col("text"), col("text")]
    return [
        texts.select(shout(col("text")), letters(col("text")), doubled(col("value")), looked_up(col("number"))),
        texts.select(call("full_name", *arguments), call(shout, col("text")).alias("again")),
        texts.join_lateral(words(col("text")).alias("word", "length")),
        texts.flat_map(call("parts", col("text"), " ")),
        texts.group_by(col("text")).select(mean(col("value")), highest(col("value"))),
        texts.aggregate(mean_of_class(col("value")).alias("m")).select(col("m")),
        numbers.group_by(col("b")).flat_aggregate(largest(col("a")).alias("v", "p")).select(col("v"), col("p")),
        numbers.select(added(col("a"), 1), call("larger", col("a"), col("b"))),
        texts.select(col("text")).process(Words, 3),
        te.from_call("words_of", texts.select(col("text")), least=lit(2)),
        te.from_elements([("a", dt.datetime(2026, 1, 1))], ["page", "ts"])
        .partition_by(col("page"))
        .order_by(col("ts"))
        .process(Counts(), on_time=descriptor("ts")),
    ]
