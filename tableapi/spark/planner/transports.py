"""How the arguments of Python functions reach workers.

From Spark 4.1 on, workers get Arrow columns. Before, Spark sends pandas series, which are as fast, to functions whose
types survive this, and single rows to all others (decision 25).
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple

from ir import types as t
from ir.calls import call
from ir.expressions import ResolvedExpression, TypeLiteral
from ir.functions.conversion import CAST
from ir.functions.timestamps import UNIX_MICROS
from ir.types import LogicalType

# pandas has all values of these types, and NULL beside them.
_EXACT = (
    t.BooleanType,
    t.TinyIntType,
    t.SmallIntType,
    t.IntType,
    t.CharacterType,
    t.BytesType,
    t.DateType,
    t.DecimalType,
)
# pandas has all values of these types, but its NULL is NaN, which makes floats of integers.
_EXACT_IF_NOT_NULL = (t.BigIntType, t.FractionalType)


class Transport(enum.Enum):
    """In what form Spark sends the arguments of a Python function, and takes its results."""

    ARROW = enum.auto()
    SERIES = enum.auto()
    ROWS = enum.auto()


class SentArguments(NamedTuple):
    """The arguments of a call as Spark sends them.

    Attributes:
        transport: the form.
        arguments: the expressions that are sent.
        types: the types that the function gets.
        texts: whether each argument is sent as text.
    """

    transport: Transport
    arguments: tuple[ResolvedExpression, ...]
    types: tuple[LogicalType, ...]
    texts: tuple[bool, ...]


def sent_as_arrow(arguments: Sequence[ResolvedExpression]) -> SentArguments:
    """Return arguments that Spark sends as Arrow columns."""
    return _as_they_are(Transport.ARROW, arguments)


def sent_without_arrow(arguments: Sequence[ResolvedExpression], result: LogicalType) -> SentArguments:
    """Return the arguments of a call as series, or as rows if a type does not survive as a series.

    Args:
        arguments: the arguments.
        result: the type of the result.
    """
    if not is_exact_result(result) or not all(map(_is_series, arguments)):
        return _as_they_are(Transport.ROWS, arguments)
    texts = tuple([_needs_text(argument.data_type) for argument in arguments])
    sent = tuple([_sent(argument, is_text=is_text) for argument, is_text in zip(arguments, texts, strict=True)])
    return SentArguments(Transport.SERIES, sent, _types(arguments), texts)


def is_exact_result(result: LogicalType) -> bool:
    """Whether a result survives as a series that has the memory of an Arrow column."""
    return isinstance(result, (*_EXACT, *_EXACT_IF_NOT_NULL))


def _as_they_are(transport: Transport, arguments: Sequence[ResolvedExpression]) -> SentArguments:
    return SentArguments(transport, tuple(arguments), _types(arguments), (False,) * len(arguments))


def _types(arguments: Sequence[ResolvedExpression]) -> tuple[LogicalType, ...]:
    return tuple([argument.data_type for argument in arguments])


def _is_series(argument: ResolvedExpression) -> bool:
    return isinstance(argument.data_type, (*_EXACT, *_EXACT_IF_NOT_NULL, t.LocalZonedTimestampType))


def _needs_text(data_type: LogicalType) -> bool:
    return data_type.nullable and isinstance(data_type, (*_EXACT_IF_NOT_NULL, t.LocalZonedTimestampType))


def _sent(argument: ResolvedExpression, *, is_text: bool) -> ResolvedExpression:
    if isinstance(argument.data_type, t.LocalZonedTimestampType):
        argument = call(UNIX_MICROS, (argument,))
    return call(CAST, (argument, TypeLiteral(t.STRING))) if is_text else argument
