"""Reject aggregates of a changelog that would count retractions as rows."""

from __future__ import annotations

from collections.abc import Iterable

from ir.call_expressions import Call
from ir.change_kinds import INSERT, UNKNOWN_CODE
from ir.errors import ValidationException
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral, children_of
from ir.functions.context import RAISE_ERROR
from ir.functions.logic import CASE
from ir.identifiers import fold
from ir.messages import Term, message
from ir.nodes import post_order_of
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.operations.process import KIND_COLUMN, ProcessTable
from ir.operations.project import Project
from ir.operations.watermark import Watermark


def refuse_retractions(input: QueryOperation, used: Iterable[ResolvedExpression]) -> None:
    """Reject an aggregation of changes that does not look at their kinds.

    A changelog is known as such if a process table function yields it, or FROM_CHANGELOG. Filters, projections and
    watermarks may lie between. An expression that reads the kind says what becomes of it.

    Args:
        input: the rows that are aggregated.
        used: the keys and the aggregates.

    Raises:
        ValidationException: nothing reads the kind of a row.
    """
    steps: list[QueryOperation] = []
    operation = input
    while isinstance(operation, Filter | Project | Watermark) and not _is_changelog(operation):
        steps.append(operation)
        operation = operation.input
    if not _is_changelog(operation):
        return
    places = {i for i, name in enumerate(operation.schema.names) if fold(name) == KIND_COLUMN}
    for step in reversed(steps):
        if isinstance(step, Filter) and _reads((step.condition,), places):
            return
        if isinstance(step, Project):
            kept = [e for e in step.projections if not isinstance(e, FieldReference)]
            if _reads(kept, places):
                return
            places = {i for i, e in enumerate(step.projections) if isinstance(e, FieldReference) and e.index in places}
    if not _reads(tuple(used), places):
        raise ValidationException(
            message(
                "The rows are changes, whose kinds are in the column {kind}, and the aggregates would count a row that "
                "is retracted like any other. {apply}; or say what counts: {filter}, an aggregate over {kind}, or "
                "{kind} as a key.",
                kind=KIND_COLUMN,
                apply=Term(
                    "Aggregate the current rows, apply_changelog(…)",
                    "Aggregate the current rows, as docs/process-table-functions.md shows",
                ),
                filter=Term("filter(col('op') == 'INSERT')", "WHERE op = 'INSERT'"),
            )
        )


def _is_changelog(operation: QueryOperation) -> bool:
    """Whether an operation makes a changelog with other kinds than INSERT."""
    if isinstance(operation, ProcessTable):
        return bool(set(operation.signature.changes) - {INSERT})
    if not isinstance(operation, Project) or fold(operation.names[0]) != KIND_COLUMN:
        return False
    first = operation.projections[0]
    if not isinstance(first, Call) or first.function is not CASE:
        return False
    last = first.arguments[-1]
    return isinstance(last, Call) and last.function is RAISE_ERROR and _begins_with_unknown_code(last)


def _begins_with_unknown_code(failure: Call) -> bool:
    (text,) = failure.arguments
    first = text.arguments[0] if isinstance(text, Call) and text.arguments else text
    return isinstance(first, ValueLiteral) and first.value == UNKNOWN_CODE


def _reads(expressions: Iterable[ResolvedExpression], places: set[int]) -> bool:
    return any(
        isinstance(part, FieldReference) and part.input_index == 0 and part.index in places
        for part in post_order_of(tuple(expressions), children_of)
    )
