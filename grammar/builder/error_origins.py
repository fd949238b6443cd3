"""Finds the position of the syntax from which a resolved part of a query, named by an error, was built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.context import Places
from grammar.builder.scopes import Scope
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.errors import TableException
from ir.expressions import Expression, FieldReference
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionKind
from ir.inference.usage import ALONE, GROUPED
from ir.operations.operation import QueryOperation
from ir.resolution.expressions import ExpressionResolver
from ir.resolution.expressions import Scope as ResolverScope
from ir.resolution.lookup import FunctionLookup
from ir.unresolved import UnresolvedCall, walk_written_parts

_MOST = 100


@attrs.frozen(eq=False)
class ErrorOrigins:
    """The search space for the origin of an error: syntax nodes by clause, their expressions, and their scope.

    ``keys`` are further expressions, each with its position.
    """

    nodes: Mapping[str, Sequence[Any]]
    expressions: Sequence[Expression]
    scope: Scope
    operation: QueryOperation
    places: Places
    keys: Sequence[tuple[Expression, int]] = ()

    def place_of(self, error: TableException, lookup: FunctionLookup) -> int | None:
        """Return the position of the part that an error names, None if it is not found."""
        for key, position in self.keys:
            if key is error.part:
                return position
        if isinstance(error.part, FieldReference):
            found = self._column(error.part, error.clause)
        elif isinstance(error.part, Call):
            error.written = self._call(error.part, lookup)
            found = self.places.of(error)
        else:
            found = None
        if found is None and self.nodes.get(error.clause or ""):
            return getattr(self.nodes[error.clause or ""][0], "position", None)
        return found

    def _column(self, field: FieldReference, clause: str | None) -> int | None:
        """Return the position of the first name of a column outside aggregates."""
        nodes = [nodes for name, nodes in self.nodes.items() if clause in (None, name)]
        for path in _paths(nodes):
            try:
                found = self.scope.column(path)
            except Misread:
                continue
            if found is not None and found[0].field is field:
                return path.position
        return None

    def _call(self, call: Call, lookup: FunctionLookup) -> Expression | None:
        """Return the unresolved call from which a resolved call was made."""
        same = (
            p
            for p in walk_written_parts(self.expressions)
            if isinstance(p, UnresolvedCall) and p.function is call.function
        )
        scope = ResolverScope((self.operation.schema,))
        resolvers = [ExpressionResolver(scope, lookup, usage=usage) for usage in (ALONE, GROUPED)]
        for candidate, _ in zip(same, range(_MOST), strict=False):
            for resolver in resolvers:
                try:
                    if resolver.resolve(candidate) is call:
                        return candidate
                except TableException:
                    continue
        return None


def _paths(nodes: Sequence[Any]) -> Iterator[s.Path]:
    """Yield the names in expressions in text order, except those in aggregates and subqueries."""
    stack = list(reversed(nodes))
    while stack:
        node = stack.pop()
        if isinstance(node, s.Path):
            yield node
        elif isinstance(node, (list, tuple)):
            stack += reversed(node)
        elif isinstance(node, s.Syntax) and not isinstance(node, s.ScalarSubquery) and not _is_aggregate(node):
            fields = [getattr(node, field.name) for field in _fields(type(node)) if field.name != "function"]
            stack += reversed(fields)


def _fields(kind: Any) -> Sequence[attrs.Attribute[Any]]:
    fields: Sequence[attrs.Attribute[Any]] = attrs.fields(kind)
    return fields


def _is_aggregate(node: s.Syntax) -> bool:
    if not isinstance(node, s.Call):
        return False
    function = BUILT_INS.find(node.function.names[-1].text)
    return function is not None and function.kind is FunctionKind.AGGREGATE
