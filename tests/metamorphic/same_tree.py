"""Compare two trees up to the names of columns and relations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

import attrs

from ir.expressions import DescriptorLiteral, FieldReference, Lambda, LambdaVariable, OuterReference, ResolvedExpression
from ir.identifiers import ObjectIdentifier
from ir.nodes import Node, init_fields
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import Project
from ir.schema import ResolvedSchema

_NAMES = frozenset({"name", "names", "aggregate_names", "value_names", "labels", "label_column", "value_columns"})
_Variables = Mapping[str, int]


@attrs.frozen
class _Around:
    """The context of two compared parts: their operations, the outer queries, and the lambda parameters."""

    operations: tuple[QueryOperation, QueryOperation]
    outer: tuple[QueryOperation, QueryOperation] | None
    variables: tuple[_Variables, _Variables] = attrs.field(default=({}, {}), eq=False)


class SameTree:
    """Compare two trees with a stack; ``table_of`` returns the original of a renamed table."""

    def __init__(self, table_of: Callable[[ObjectIdentifier], object] = lambda identifier: identifier) -> None:
        self.table_of = table_of

    def first_difference(self, one: QueryOperation, two: QueryOperation) -> str | None:
        """Return the first difference between two trees beyond names; None if there is none."""
        if one.schema.types != two.schema.types:
            return f"types of the columns:\n  {one.schema.types}\n  {two.schema.types}"
        seen: set[tuple[int, int, int]] = set()
        stack: list[tuple[QueryOperation, QueryOperation, tuple[QueryOperation, QueryOperation] | None]]
        stack = [(one, two, None)]
        while stack:
            left, right, outer = stack.pop()
            left, right = _without_renaming(left), _without_renaming(right)
            key = id(left), id(right), id(None if outer is None else outer[0])
            if key in seen:
                continue
            seen.add(key)
            below: list[tuple[QueryOperation, QueryOperation, tuple[QueryOperation, QueryOperation] | None]] = []
            found = self._differs(left, right, outer, below)
            if found is not None:
                return f"{found}, in\n  {_line(left)}\n  {_line(right)}"
            stack += reversed(below)
        return None

    def _differs(self, left: Any, right: Any, outer: Any, below: list[Any]) -> str | None:
        if type(left) is not type(right):
            return f"{type(left).__name__} and {type(right).__name__}"
        around = _Around((left, right), outer)
        stack: list[tuple[str, Any, Any, _Around]] = [
            (name, getattr(left, name), getattr(right, name), around) for name in reversed(init_fields(type(left)))
        ]
        while stack:
            name, one, two, around = stack.pop()
            if isinstance(one, QueryOperation) and isinstance(two, QueryOperation):
                below.append((one, two, outer))
            elif isinstance(one, TableReference) and isinstance(two, TableReference):
                below.append((one.operation, two.operation, around.operations))
            elif isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
                stack += [(name, a, b, around) for a, b in zip(reversed(one), reversed(two), strict=True)]
            elif type(one) is not type(two):
                return f"{name}: {_shown(one)} and {_shown(two)}"
            elif isinstance(one, Lambda):
                stack += self._body(one, two, around)
            elif isinstance(one, ResolvedSchema):
                if one.types != two.types:
                    return f"{name}: other types"
            elif isinstance(one, ResolvedExpression) and not _is_leaf(one):
                stack += [(n, getattr(one, n), getattr(two, n), around) for n in reversed(init_fields(type(one)))]
            elif not self._is_same(name, one, two, around):
                return f"{name}: {_shown(one)} and {_shown(two)}"
        return None

    def _body(self, one: Lambda, two: Lambda, around: _Around) -> list[tuple[str, Any, Any, _Around]]:
        ours, theirs = dict(around.variables[0]), dict(around.variables[1])
        for a, b in zip(one.parameters, two.parameters, strict=False):
            ours[a.name] = theirs[b.name] = len(ours) + len(theirs)
        inner = attrs.evolve(around, variables=(ours, theirs))
        types = [tuple([p.type_ for p in given.parameters]) for given in (one, two)]
        return [("parameters", *types, inner), ("body", one.body, two.body, inner)]

    def _is_same(self, name: str, one: Any, two: Any, around: _Around) -> bool:
        if isinstance(one, FieldReference):
            return (one.input_index, one.index, one.type_) == (two.input_index, two.index, two.type_)
        if isinstance(one, OuterReference):
            if around.outer is None:
                return one is two
            places = [_place(r, o) for r, o in zip((one, two), around.outer, strict=True)]
            return places[0] == places[1] and one.type_ == two.type_
        if isinstance(one, LambdaVariable):
            bound = [v.get(p.name) for p, v in zip((one, two), around.variables, strict=True)]
            return bound[0] == bound[1] and one.type_ == two.type_
        if isinstance(one, ObjectIdentifier):
            return self.table_of(one) == self.table_of(two)
        if isinstance(one, DescriptorLiteral):
            return len(one.names) == len(two.names)
        if isinstance(one, str) and name in _NAMES:
            return True
        same = one is two if isinstance(one, (Node, Enum)) else one == two
        return bool(same)


def _is_leaf(part: ResolvedExpression) -> bool:
    return isinstance(part, (FieldReference, OuterReference, LambdaVariable, DescriptorLiteral)) or not part.children


def _place(reference: OuterReference, operation: QueryOperation) -> tuple[int, int] | None:
    """Return the input and the column of the outer operation that a reference means."""
    for number, read in enumerate(operation.inputs):
        index = read.schema.index_of(reference.name)
        if index is not None:
            return number, index
    return None


def _without_renaming(operation: QueryOperation) -> QueryOperation:
    """Skip projections that only rename columns, since equal names need some that distinct names do not."""
    while isinstance(operation, Project) and operation.is_renaming():
        operation = operation.input
    return operation


def _line(operation: QueryOperation) -> str:
    return f"{operation.title}: {operation.describe()}"[:300]


def _shown(part: Any) -> str:
    return str(part.as_summary_string() if isinstance(part, ResolvedExpression) else part)[:200]
