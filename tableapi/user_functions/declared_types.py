"""Types of the parameters and results of user-defined functions, declared as types, as text or by strategies."""

from __future__ import annotations

from typing import Any

import attrs

from ir import types as t
from ir.errors import SqlParserException, ValidationException
from ir.expressions import ValueLiteral
from ir.functions.process import ProcessCall
from ir.types import LogicalType
from tableapi.advice.misused_members import uncalled_method
from tableapi.members.type_arguments import TypeLike, read_data_type


@attrs.frozen
class Parameter:
    """A parameter: its type, None where any will do, and whether a call may leave it out, or give it many times.

    ``default`` is its value in a call that leaves it out and names a later one, where that is a constant of SQL.
    """

    name: str
    data_type: LogicalType | None
    is_optional: bool = False
    is_variadic: bool = False
    default: ValueLiteral | None = None

    @property
    def is_required(self) -> bool:
        """Whether NULL is no value of it."""
        return self.data_type is not None and not self.data_type.nullable


def type_named(given: TypeLike, what: str) -> LogicalType:
    """Return a type that is given as one or as its text.

    Raises:
        ValidationException: it is neither.
    """
    try:
        return read_data_type(given, what)
    except SqlParserException as error:
        raise ValidationException(str(error)) from None


def infer_type(where: str, strategy: Any, call: ProcessCall) -> LogicalType | None:
    """Return the type that a strategy, which may be a type itself, finds for a call.

    Raises:
        ValidationException: it fails, or what it returns is no type.
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
    """Refuse what is neither a type nor a function, and a type that is none, when the class is declared.

    Raises:
        ValidationException: it is such.
    """
    is_nested = "<locals>" in getattr(given, "__qualname__", "")
    if isinstance(given, (LogicalType, str)):
        type_named(given, where)
    elif not is_nested and uncalled_method(given, functions=True):
        raise ValidationException(f"{where}: {uncalled_method(given, functions=True)}")
    elif not callable(given):
        raise ValidationException(f"{where} has the type strategy {given!r}, which is neither a type nor a function.")


def require_sendable(name: str, data_type: LogicalType) -> None:
    """Refuse a result of a type that Spark takes from no Python function.

    Raises:
        ValidationException: it is of such a type, or holds one.
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
