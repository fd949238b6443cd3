"""The lineage of one query: the columns of its sources that influence its columns, its rows and their order.

The walk goes from a column down to the sources, and visits only what the column reads. Each place (a part of a column
of an operation) is computed once, so that shared operations cost nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ir import light_attrs as attrs
from ir.contents import OUTER
from ir.expressions import FieldReference
from ir.lineage.expressions import Leaf, leaves
from ir.lineage.influences import Influence, combine_bits
from ir.lineage.operation_rules import Below, rule_of
from ir.lineage.paths import WHOLE, Path, existing_part
from ir.lineage.reads import ALL_COLUMNS, ORDER, ROWS
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.recursion import Recursion, RecursiveReference
from ir.operations.source import InlineSource, Source


class Origin(NamedTuple):
    """A part of a column of a source, or its rows.

    Attributes:
        source: the operation that reads a table, a view or data of this process.
        column: the position of the column, or ``ROWS``.
        path: the part of the column.
    """

    source: Source | InlineSource
    column: int
    path: Path


Origins = dict[Origin, int]
"""Each origin with the bits of its influences."""


@attrs.frozen(eq=False)
class _Scope:
    """The meaning of outer references and recursive references in a part of a query.

    Attributes:
        operation: the operation whose expressions contain the query, or the Recursion whose step it is.
        outer: the scope of that operation.
    """

    operation: QueryOperation
    outer: _Scope | None


class _Place(NamedTuple):
    operation: QueryOperation
    column: int
    path: Path
    scope: _Scope | None


_Edge = tuple[_Place, int]


class QueryLineage:
    """The lineage of a query.

    Args:
        operation: the query, in which the caller has replaced the SQL functions that the lineage is to include.
    """

    def __init__(self, operation: QueryOperation) -> None:
        self.operation = operation
        self._found: dict[_Place, Origins] = {}
        self._scopes: dict[tuple[QueryOperation, _Scope | None], _Scope] = {}

    def origins(self, column: int, path: Path = WHOLE) -> Origins:
        """Return the origins that influence a part of a column of the query, its ``ROWS`` or their ``ORDER``."""
        return self._origins(_Place(self.operation, column, path, None))

    def _origins(self, root: _Place) -> Origins:
        """Compute the origins of a place after, and from, the origins of the places below it."""
        stack = [root]
        while stack:
            place = stack[-1]
            if place in self._found:
                stack.pop()
                continue
            if isinstance(place.operation, Recursion):
                # Its places read each other in a cycle.
                self._found[stack.pop()] = self._walk(place)
                continue
            edges = list(self._edges(place))
            missing = [below for below, _ in edges if below not in self._found]
            if missing:
                stack += missing
                continue
            self._found[stack.pop()] = self._combined(place, edges)
        return self._found[root]

    def _combined(self, place: _Place, edges: list[_Edge]) -> Origins:
        if isinstance(place.operation, Source | InlineSource):
            return _at_source(place)
        if len(edges) == 1 and edges[0][1] == Influence.IDENTITY.bit:
            return self._found[edges[0][0]]
        found: Origins = {}
        for below, bits in edges:
            for origin, inner in self._found[below].items():
                found[origin] = found.get(origin, 0) | combine_bits(bits, inner)
        return found

    def _walk(self, root: _Place) -> Origins:
        """Return the origins of a place by a walk that visits each place once for each set of influences."""
        found: Origins = {}
        seen: set[_Edge] = set()
        stack: list[_Edge] = [(root, Influence.IDENTITY.bit)]
        while stack:
            place, bits = visited = stack.pop()
            if visited in seen:
                continue
            seen.add(visited)
            if isinstance(place.operation, Source | InlineSource):
                for origin, inner in _at_source(place).items():
                    found[origin] = found.get(origin, 0) | combine_bits(bits, inner)
            else:
                stack += [(below, combine_bits(bits, inner)) for below, inner in self._edges(place)]
        return found

    # --- edges -------------------------------------------------------------------------------------------------------

    def _edges(self, place: _Place) -> Iterator[_Edge]:
        """Yield the places that a place reads, each with its influence."""
        operation, column, path, scope = place
        if isinstance(operation, RecursiveReference):
            yield from _to_recursion(operation, column, path, scope)
            return
        for read in rule_of(type(operation))(operation, column, path):
            if isinstance(read, Below):
                inside = self._scope(operation, scope) if read.is_repeated else scope
                yield _Place(read.operation, read.column, read.path, inside), read.influence.bit
            elif isinstance(read.expression, TableReference):
                leaf = Leaf(read.expression, read.path, read.influence, read.column)
                yield from self._to_query(operation, leaf, scope)
            else:
                for leaf in leaves(read.expression, read.path, read.influence):
                    yield from self._to_leaf(operation, leaf, scope)

    def _to_leaf(self, operation: QueryOperation, leaf: Leaf, scope: _Scope | None) -> Iterator[_Edge]:
        reference, bits = leaf.expression, leaf.influence.bit
        if reference is None:
            yield from ((_Place(read, ORDER, WHOLE, scope), bits) for read in operation.inputs)
        elif isinstance(reference, FieldReference):
            if reference.input_index < len(operation.inputs):
                yield _Place(operation.inputs[reference.input_index], reference.index, leaf.path, scope), bits
            else:
                # The condition of a lateral join, whose right side is no input.
                index = len(operation.inputs[0].schema) + reference.index
                yield _Place(operation, index, leaf.path, scope), bits
        elif isinstance(reference, TableReference):
            yield from self._to_query(operation, leaf, scope)
        else:
            read, index, outside = _column_of_outer_query(reference.name, scope)
            yield _Place(read, index, leaf.path, outside), bits

    def _to_query(self, operation: QueryOperation, leaf: Leaf, scope: _Scope | None) -> Iterator[_Edge]:
        """Yield the reads of a query by an expression: the rows, and one column or all columns."""
        assert isinstance(leaf.expression, TableReference)
        query, bits = leaf.expression.operation, leaf.influence.bit
        inside = self._scope(operation, scope) if query.contents & OUTER else self._recursions(scope)
        yield _Place(query, ROWS, WHOLE, inside), bits
        columns = range(len(query.schema)) if leaf.column == ALL_COLUMNS else range(leaf.column, leaf.column + 1)
        for column in columns:
            if column >= 0:
                path = existing_part(leaf.path, query.schema.types[column])
                yield _Place(query, column, path, inside), bits

    def _scope(self, operation: QueryOperation, outer: _Scope | None) -> _Scope:
        key = operation, outer
        if key not in self._scopes:
            self._scopes[key] = _Scope(operation, outer)
        return self._scopes[key]

    def _recursions(self, scope: _Scope | None) -> _Scope | None:
        """Return a scope without the outer queries, to which a query refers that has no outer reference."""
        kept = []
        while scope is not None:
            if isinstance(scope.operation, Recursion):
                kept.append(scope.operation)
            scope = scope.outer
        found: _Scope | None = None
        for operation in reversed(kept):
            found = self._scope(operation, found)
        return found


def _at_source(place: _Place) -> Origins:
    operation, column, path, _ = place
    assert isinstance(operation, Source | InlineSource)
    return {} if column == ORDER else {Origin(operation, column, path): Influence.IDENTITY.bit}


def _to_recursion(operation: RecursiveReference, column: int, path: Path, scope: _Scope | None) -> Iterator[_Edge]:
    while scope is not None:
        if isinstance(scope.operation, Recursion) and scope.operation.name == operation.name:
            yield _Place(scope.operation, column, path, scope.outer), Influence.IDENTITY.bit
            return
        scope = scope.outer
    raise AssertionError(f"no recursion around has the name {operation.name}")


def _column_of_outer_query(name: str, scope: _Scope | None) -> tuple[QueryOperation, int, _Scope | None]:
    """Return the column that an outer reference means: the operation, the position, and the scope of the operation."""
    while scope is not None:
        if not isinstance(scope.operation, Recursion):
            for read in scope.operation.inputs:
                index = read.schema.index_of(name)
                if index is not None:
                    return read, index, scope.outer
        scope = scope.outer
    raise AssertionError(f"no query around has the column {name}")
