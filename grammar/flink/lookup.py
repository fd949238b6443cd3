"""Looks up functions by Flink's names, and chooses the function of an UNNEST."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.errors import ValidationException
from ir.expressions import Expression, ResolvedExpression
from ir.flink.raising import Raiser
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.flink import BY_NAME, MILLISECOND_OF
from ir.functions.table import EXPLODE, INLINE
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup, FunctionName
from ir.types import ArrayType, RowType
from ir.unresolved import UnresolvedCall

# The element type decides between EXPLODE and INLINE for UNNEST, and is known only later.
_FUNCTIONS = {"unnest": EXPLODE, **{fold(name): definition for name, definition in BY_NAME.items()}}


def wrap_lateral(node: Any) -> Any:
    """Wrap UNNEST in FROM as lateral: in Flink it is lateral without the keyword."""
    if type(node) is s.TableFunction and fold(node.call.function.parts[-1]) == "unnest":
        return s.Lateral(node.position, node)
    return node


def choose_unnest(function: Expression, input: QueryOperation, lookup: FunctionLookup) -> Expression:
    """Replace UNNEST of rows with INLINE, which makes a column of each field; return other calls unchanged."""
    if not isinstance(function, UnresolvedCall) or function.function is not EXPLODE:
        return function
    collection = ExpressionResolver(Scope((input.schema,)), lookup).resolve(function.arguments[0])
    element = collection.data_type.element if isinstance(collection.data_type, ArrayType) else None
    return attrs.evolve(function, function=INLINE) if isinstance(element, RowType) else function


def _not_in_flink(function: FunctionDefinition) -> str:
    reason = function.documentation.difference or "Flink has no such function, or means something else by the name."
    return (
        f"{function.sql_name} has no meaning in Flink's SQL that a query here has: {reason} If the text is in SPARK, "
        "pass Dialect.SPARK."
    )


class FlinkLookup:
    """A function lookup that adds Flink's functions, and recovers canonical expressions of one text."""

    def __init__(self, lookup: FunctionLookup) -> None:
        self._lookup = lookup
        self._raiser = Raiser()

    def find(self, name: FunctionName) -> FunctionDefinition:
        """Return the function of a name.

        Raises:
            ValidationException: the function is unknown, or Flink lacks it.
        """
        found = _FUNCTIONS.get(fold(name)) if isinstance(name, str) else None
        if found is not None:
            return found
        found = self._lookup.find(name)
        if found.is_built_in and (not found.emission.in_flink or found.kind is FunctionKind.TABLE):
            raise ValidationException(_not_in_flink(found))
        return found

    def finished(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return the canonical expression for an expression of Flink's SQL."""
        raised = self._raiser.raise_expression(expression)
        if any(isinstance(part, Call) and part.function is MILLISECOND_OF for part in raised.walk()):
            raise ValidationException(
                "EXTRACT(MILLISECOND …) is the fraction of a second in Flink, less than 0 before 1970, so that only a "
                "TIME can have it here. Write EXTRACT(SECOND …), which has the fraction, or FLOOR(… TO MILLISECOND)."
            )
        return raised
