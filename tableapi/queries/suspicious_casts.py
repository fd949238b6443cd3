"""Reports implicit casts: an error if one always fails, otherwise a warning at the user's line."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING

from grammar.errors import locate, place
from ir.call_expressions import Call
from ir.errors import SuspiciousCastWarning, ValidationException, shorten
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.implicit_notices import Kind, Notice, take_notices
from ir.operations.operation import QueryOperation
from ir.operations.set_operation import SetOperation
from ir.schema import Column
from ir.summaries import Summary
from ir.types import STRING, LogicalType
from tableapi.lazy import lazy
from tableapi.queries.cast_findings import Suspicion, suspicions_of_query, suspicions_of_step

if TYPE_CHECKING:
    from tableapi.python_code import layout, literals
else:
    layout = lazy(__name__, "tableapi.python_code.layout")
    literals = lazy(__name__, "tableapi.python_code.literals")

_PACKAGES = ("tableapi", "ir", "serializer", "grammar")
_HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_OWN = tuple(os.path.join(_HOME, package) + os.sep for package in _PACKAGES)
_LONGEST = 60
_COMPARISONS = frozenset(
    ("=", "<>", "<", "<=", ">", ">=", "IN", "BETWEEN", "NOT BETWEEN", "IS DISTINCT FROM", "IS NOT DISTINCT FROM")
)
# Calls in which the type of one operand determines the type to which the other is cast.
_BESIDE = _COMPARISONS | {"+", "-", "*", "/", "%", "DIV", "COALESCE", "IFNULL", "NULLIF", "TRY_ADD", "TRY_SUBTRACT"}


def check_step(operation: QueryOperation, known: Sequence[QueryOperation]) -> None:
    """Check the implicit casts in a step of the fluent API.

    Raises:
        ValidationException: the implicit cast of a constant always fails.
    """
    _tell(suspicions_of_step(operation, known, take_notices()), None)


def check_text(operation: QueryOperation, text: str) -> None:
    """Check the implicit casts in a parsed query.

    Raises:
        ValidationException: the implicit cast of a constant always fails; the message has the position.
    """
    _tell(suspicions_of_query(operation, take_notices()), text)


def _tell(suspicions: Sequence[Suspicion], text: str | None) -> None:
    for one in suspicions:
        if one.is_certain:
            error = ValidationException(_message(one, text is not None), condition="CAST_INVALID_INPUT")
            if text is None or one.notice.position is None:
                raise error
            raise locate(error, text, one.notice.position)
    for one in suspicions:
        message = _message(one, text is not None)
        if text is not None and one.notice.position is not None:
            message += "\n" + place(text, one.notice.position)
        warnings.warn(message, SuspiciousCastWarning, stacklevel=_level_of_user())


def _level_of_user() -> int:
    """Return the number of frames from this function's caller up to the user's code."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _is_own(frame):
        level, frame = level + 1, frame.f_back
    return level


def _is_own(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(_OWN)


def _message(suspicion: Suspicion, in_sql: bool) -> str:
    notice = suspicion.notice
    wanted = notice.cast.wanted.as_nullable()
    name = wanted.as_summary_string()
    by, value = _name(notice), _display_value(notice.cast.value, notice)
    if notice.cast.kind is Kind.JOINED:
        return (
            f"+ casts {value} of type {_type(notice.cast.value)} to STRING and concatenates. Write concat(…) where a "
            "string is wanted; where a sum is wanted, cast the string."
        )
    if notice.cast.kind is Kind.TEXT:
        tolerant, cast = "TRY_CAST" if in_sql else "try_cast", _cast(notice.cast.value, wanted, notice, in_sql)
        return (
            f"{by} casts {value} of type STRING to {name}, and the query fails at the first string that is no {name}. "
            f"Write the cast, {cast}; {tolerant} gives NULL for such strings."
        )
    beside = _find_other_operand(notice)
    reason = "" if beside is None else f", because {_display_value(beside, notice)} is of type {_type(beside)}"
    advice = f"Write a value of type {name if beside is None else _type(beside)}"
    if beside is not None and by in _COMPARISONS:
        advice += f", or compare strings: {_cast(beside, STRING, notice, in_sql)}"
    failing = "Spark refuses that cast whatever the rows are" if suspicion.is_certain else "that cast always fails"
    return f"{by} casts the string {value} to {name}{reason}, and {failing}. {advice}."


def _cast(value: object, wanted: LogicalType, notice: Notice, in_sql: bool) -> str:
    """Return the explicit cast of a value as the user would write it, with an ellipsis unless it is a column."""
    column = value.name if isinstance(value, (FieldReference, Column)) else None
    if in_sql:
        column = None if column is None else notice.names.get(column, column)
        return f"CAST({'…' if column is None else column} AS {wanted.as_serializable_string()})"
    code = layout.statement_text("x", literals.data_type(wanted), 1_000).removeprefix("x = ")
    return f"{'(…)' if column is None else f'col({column!r})'}.cast({code})"


def _name(notice: Notice) -> str:
    made = notice.made
    if isinstance(made, SetOperation):
        return f"Column {notice.cast.argument + 1} of {made.kind.value}"
    return str(made.function.sql_name) if isinstance(made, Call) else "The call"


def _find_other_operand(notice: Notice) -> ResolvedExpression | None:
    """Return the operand whose type determines the cast of the constant."""
    if not isinstance(notice.made, Call) or notice.made.function.sql_name not in _BESIDE:
        return None
    others = [one for one in notice.made.arguments if not isinstance(one, ValueLiteral)]
    return others[0] if len(others) == 1 else None


def _type(value: ResolvedExpression) -> str:
    return value.data_type.as_nullable().as_summary_string()


def _display_value(value: object, notice: Notice) -> str:
    if isinstance(value, ValueLiteral) and isinstance(value.value, str):
        return shorten(repr(value.value), _LONGEST)
    if isinstance(value, ResolvedExpression):
        return shorten(Summary(value).render("sql", notice.names), _LONGEST)
    return str(getattr(value, "name", "it"))
