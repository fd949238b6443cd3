"""Types of the parameters and results of user-defined functions, declared as types, as text or by strategies."""

from __future__ import annotations

from typing import Any

import attrs

from ir import types as t
from ir.errors import SqlParserException, ValidationException
from ir.expressions import ValueLiteral
from ir.functions.process import ProcessCall
from ir.types import LogicalType
from tableapi.advice.misused_members import describe_uncalled_method
from tableapi.members.type_arguments import TypeLike, read_data_type


@attrs.frozen
class Parameter:
    """A parameter: its type (None for any), and whether it is optional or variadic.

    ``default`` is the value for a call that omits the parameter but names a later one, if it is a SQL constant.
    """

    name: str
    data_type: LogicalType | None
    is_optional: bool = False
    is_variadic: bool = False
    default: ValueLiteral | None = None

    @property
    def is_required(self) -> bool:
        """Whether the parameter rejects NULL."""
        return self.data_type is not None and not self.data_type.nullable


def type_named(given: TypeLike, what: str) -> LogicalType:
    """Return a type that is given as a type or as a string.

    Raises:
        ValidationException: the object is neither a type nor a string, or the string is not a type.
    """
    try:
        return read_data_type(given, what)
    except SqlParserException as error:
        raise ValidationException(str(error)) from None


def infer_type(where: str, strategy: Any, call: ProcessCall) -> LogicalType | None:
    """Return the type that a strategy, or a fixed type in its place, gives for a call.

    Raises:
        ValidationException: the strategy fails, or returns something other than a type.
    """
    if isinstance(strategy, (LogicalType, str)):
        return type_named(strategy, where)
    try:
        found = strategy(call)
    except ValidationException:
        raise
    except Exception as error:
        raise ValidationException(
            f"{where} has a type strategy that failed with {type(error).__name__}: {error}."
        ) from error
    return None if found is None else type_named(found, where)


def check_strategy(where: str, given: Any) -> None:
    """Check at declaration that a strategy is a valid type or a function.

    Raises:
        ValidationException: the strategy is an invalid type, or neither a type nor a function.
    """
    is_nested = "<locals>" in getattr(given, "__qualname__", "")
    if isinstance(given, (LogicalType, str)):
        type_named(given, where)
    elif not is_nested and describe_uncalled_method(given, functions=True):
        raise ValidationException(f"{where}: {describe_uncalled_method(given, functions=True)}")
    elif not callable(given):
        raise ValidationException(f"{where} has the type strategy {given!r}, which is neither a type nor a function.")


def require_sendable(name: str, data_type: LogicalType) -> None:
    """Check that Spark can receive values of a type from Python functions.

    Raises:
        ValidationException: the type is not supported, or contains an unsupported type.
    """
    waiting = [data_type]
    while waiting:
        current = waiting.pop()
        if isinstance(
            current, (t.YearMonthIntervalType, t.CalendarIntervalType, t.VariantType, t.NullType, t.DescriptorType)
        ):
            raise ValidationException(
                f"{name} cannot return {current.as_nullable().as_summary_string()}: Spark takes no such value from "
                "Python. Return months as INT, a variant as its JSON in STRING."
            )
        waiting += current.children
