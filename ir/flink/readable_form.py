"""Expressions as Flink must read them to mean what they mean here: in forms that are read back, or refused."""

from __future__ import annotations

from ir.call_expressions import Call
from ir.determinism import occurrences
from ir.expressions import ResolvedExpression
from ir.flink.casts import NoForm
from ir.flink.collections import is_empty_collection
from ir.flink.forms import UNTYPED_COLLECTION, refusal
from ir.flink.raising import build_form as marked_form
from ir.functions import comparison as cmp
from ir.functions import logic
from ir.operations.operation import TableReference


def to_flink(root: ResolvedExpression, *, is_condition: bool = False) -> ResolvedExpression:
    """Return the expression that Flink has to read for the same meaning.

    Args:
        root: the expression.
        is_condition: whether it is the condition of a filter, which treats NULL like FALSE.

    Raises:
        TableException: a part of the expression has no equivalent in Flink.
    """
    _require_no_collation(root)
    _require_decided(root, is_condition)
    formed = marked_form(root)
    if is_empty_collection(formed):
        raise refusal(formed, NoForm(UNTYPED_COLLECTION))
    if occurrences(formed) != occurrences(root):
        raise refusal(root, NoForm("it would have to be computed twice, and has another value each time"))
    return formed


def _is_search(part: ResolvedExpression) -> bool:
    return isinstance(part, Call) and part.function is cmp.IN and isinstance(part.arguments[1], TableReference)


def _require_decided(root: ResolvedExpression, is_condition: bool) -> None:
    """Refuse a nullable IN over a query outside of filters: Spark returns FALSE where Flink returns NULL."""
    harmless: set[ResolvedExpression] = set()
    pending = [root] if is_condition else []
    while pending:
        part = pending.pop()
        harmless.add(part)
        if isinstance(part, Call) and part.function is logic.AND:
            pending += part.arguments
        elif isinstance(part, Call) and part.function is logic.NOT and _is_search(part.arguments[0]):
            harmless.add(part.arguments[0])
    for part in root.walk():
        if _is_search(part) and part.data_type.nullable and part not in harmless:
            raise refusal(part, NoForm("beside NULLs its result is NULL, and FALSE in Spark, except in a filter"))


def _require_no_collation(root: ResolvedExpression) -> None:
    for part in root.walk():
        if part.data_type.has_collation:
            raise refusal(part, NoForm(f"it is {part.data_type.as_nullable()!r}, and Flink has no collations"))
