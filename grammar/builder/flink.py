"""What is read otherwise in Flink's SQL: its functions and forms, raised to what they were written of."""

from __future__ import annotations

from typing import Any

import attrs

from grammar import syntax as s
from ir.expressions import Expression, ResolvedExpression, UnresolvedCall
from ir.flink.raising import Raiser
from ir.functions.definition import FunctionDefinition
from ir.functions.flink import BY_NAME
from ir.functions.table import EXPLODE, INLINE
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.types import ArrayType, RowType

# UNNEST is one function or the other by what its elements are, which is known later.
_FUNCTIONS = {"unnest": EXPLODE, **{fold(name): definition for name, definition in BY_NAME.items()}}


def flink_lateral(node: Any, dialect: Dialect) -> Any:
    """Return UNNEST in FROM as lateral, which it is without the word in Flink."""
    if dialect is Dialect.FLINK and type(node) is s.TableFunction and fold(node.call.function.parts[-1]) == "unnest":
        return s.Lateral(node.position, node)
    return node


def unnested(function: Expression, input: QueryOperation, lookup: FunctionLookup) -> Expression:
    """Return UNNEST of rows as the function that makes columns of their fields, and any other call as it is."""
    if not isinstance(lookup, FlinkLookup) or not isinstance(function, UnresolvedCall) or function.function is not EXPLODE:
        return function
    collection = ExpressionResolver(Scope((input.schema,)), lookup).resolve(function.arguments[0])
    element = collection.data_type.element if isinstance(collection.data_type, ArrayType) else None
    return attrs.evolve(function, function=INLINE) if isinstance(element, RowType) else function


class FlinkLookup:
    """Finds the functions of Flink's SQL, too, and raises the expressions of one text."""

    def __init__(self, lookup: FunctionLookup) -> None:
        self._lookup = lookup
        self._raiser = Raiser()

    def find(self, name: str) -> FunctionDefinition:
        """Return the function that a name means.

        Raises:
            ValidationException: it means none.
        """
        found = _FUNCTIONS.get(fold(name))
        return self._lookup.find(name) if found is None else found

    def finished(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return the expression of which Flink's SQL has this one."""
        return self._raiser.raised(expression)
