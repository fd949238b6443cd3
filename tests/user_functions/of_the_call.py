"""Functions whose types depend on the call: on its usage, and on the expected type."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal
from typing import Any

from ir.types import LogicalType
from tableapi import AggregateFunction, AsyncScalarFunction, DataTypes, ScalarFunction, udaf, udf
from tableapi.process_functions import CallContext, StaticArgument, TypeInference


def digits(call: CallContext) -> int:
    """Return a number whose binary digits are the facts about the usage."""
    window = call.get_window()
    facts = (
        call.is_grouped_aggregation(),
        call.is_filtered_aggregation(),
        call.is_distinct_aggregation(),
        window is not None,
        window is not None and not window.is_whole_partition,
    )
    return sum(2**position for position, fact in enumerate(facts) if fact)


class Used(AggregateFunction):
    """Count, and return a DECIMAL whose precision encodes the usage of the call."""

    def create_accumulator(self) -> list[int]:
        return [0]

    def accumulate(self, accumulator: list[int], value: Any) -> None:
        accumulator[0] += 1

    def get_value(self, accumulator: list[int]) -> Decimal:
        return Decimal(accumulator[0])

    def get_type_inference(self) -> TypeInference:
        return TypeInference(
            [StaticArgument.scalar("value", None)], lambda call: DataTypes.DECIMAL(2 + digits(call), 0)
        )


class Windowed(Used):
    """Count, and return a DECIMAL whose precision encodes the window of the call."""

    def get_type_inference(self) -> TypeInference:
        def of(call: CallContext) -> LogicalType:
            window = call.get_window()
            if window is None:
                return DataTypes.DECIMAL(2, 0)
            facts = (window.is_partitioned, window.is_ordered, window.is_whole_partition, window.has_current_row)
            return DataTypes.DECIMAL(3 + sum(2**position for position, fact in enumerate(facts) if fact), 0)

        return TypeInference([StaticArgument.scalar("value", None)], of)


class Parsed(ScalarFunction):
    """Read JSON as the expected type."""

    def eval(self, text: str | None) -> Any:
        return None if text is None else json.loads(text)

    def get_type_inference(self) -> TypeInference:
        return TypeInference([StaticArgument.scalar("text", "STRING")], lambda call: call.get_output_data_type())


class ParsedLater(AsyncScalarFunction):
    """Read JSON as the expected type, asynchronously."""

    async def eval(self, text: str | None) -> Any:
        await asyncio.sleep(0)
        return None if text is None else json.loads(text)

    def get_type_inference(self) -> TypeInference:
        return TypeInference([StaticArgument.scalar("text", "STRING")], lambda call: call.get_output_data_type())


class ParsedOrText(Parsed):
    """Read JSON as the expected type, or as a string without one."""

    def get_type_inference(self) -> TypeInference:
        def of(call: CallContext) -> LogicalType:
            return call.get_output_data_type() or DataTypes.STRING()

        return TypeInference([StaticArgument.scalar("text", "STRING")], of)


used = udaf(Used())
windowed = udaf(Windowed())
parsed = udf(Parsed())
parsed_later = udf(ParsedLater())
parsed_or_text = udf(ParsedOrText())


class PlusOne(ScalarFunction):
    """Adds 1."""

    def eval(self, value: int) -> int:
        return value + 1


plus_one = udf(PlusOne())
