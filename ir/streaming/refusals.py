"""Refusals of Structured Streaming: the operation, the output modes, the reason and the way around."""

from __future__ import annotations

from enum import Enum
from typing import Final

from ir import light_attrs as attrs
from ir.errors import ValidationException
from ir.messages import Message, message
from ir.operations.operation import QueryOperation


class OutputMode(Enum):
    """Which rows of the result a streaming query writes after each batch.

    Source: https://spark.apache.org/docs/latest/streaming/apis-on-dataframes-and-datasets.html#output-modes
    """

    APPEND = "append"
    """The rows that are new and do not change any more."""
    UPDATE = "update"
    """The rows that are new or changed."""
    COMPLETE = "complete"
    """All rows of the result."""


EVERY_MODE: Final = frozenset(OutputMode)


@attrs.frozen(eq=False)
class Refusal:
    """The reason why a query over a stream cannot run in some output modes.

    Attributes:
        operation: the operation that Spark cannot run.
        modes: the output modes in which it cannot.
        reason: why, as a sentence.
        instead: the way around, as a sentence.
        condition: Spark's error condition for it, None if Spark has a message alone.
        is_by_choice: whether Spark would run the query, with a state that grows for ever.
        fails_at_start: whether Spark's checker accepts it, and Spark fails when it plans the first batch.
        is_curable: whether an operation above may lift it, as a filter or a hint above a join.
    """

    operation: QueryOperation
    modes: frozenset[OutputMode]
    reason: Message
    instead: Message
    condition: str | None = None
    is_by_choice: bool = False
    is_curable: bool = False
    fails_at_start: bool = False

    @property
    def message(self) -> Message:
        """The reason and the way around."""
        return message("{reason} {instead}", reason=self.reason, instead=self.instead)

    def as_error(self, mode: OutputMode | None = None) -> ValidationException:
        """Return the error for a query; ``mode`` is named if the operation runs in another one."""
        start = "" if mode is None or self.modes == EVERY_MODE else f"Output mode {mode.value}: "
        text = message("{start}{text}", start=start, text=self.message)
        state = None if self.condition else _NOT_SUPPORTED
        return ValidationException(text, condition=self.condition, sql_state=state, part=self.operation)


_NOT_SUPPORTED = "0A000"
