"""Names that a user gave to relations and used in ORDER BY: hints for printing, outside of the tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ir import light_attrs as attrs
from ir.operations.operation import QueryOperation
from ir.records import record


@record(eq=False)
class RelationNames(attrs.Slotted):
    """The names in the text from which a query was parsed.

    ``steps`` are the names of WITH queries. ``aliases`` are the names of relations, by the operation that reads a
    relation and the number of its input. ``relations`` are the same names by the relation itself, for readers that have
    been rewritten. ``sort_keys`` are the positions of the columns that ORDER BY calls by their names in FROM although
    SELECT renames them, by the operation that is sorted. ``parts`` are the names of combined queries, of which the
    first name wins.
    """

    steps: Mapping[QueryOperation, str] = MappingProxyType({})
    aliases: Mapping[tuple[QueryOperation, int], str] = MappingProxyType({})
    relations: Mapping[QueryOperation, str] = MappingProxyType({})
    sort_keys: Mapping[QueryOperation, frozenset[int]] = MappingProxyType({})
    parts: tuple[RelationNames, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parts or self.steps or self.aliases or self.sort_keys)

    def combined(self, other: RelationNames) -> RelationNames:
        """Return the names of two queries that are combined, without copying them."""
        if not other or other is self:
            return self
        return RelationNames(parts=(self, other)) if self else other

    def flattened(self) -> RelationNames:
        """Return all names in one record."""
        if not self.parts:
            return self
        steps: dict[QueryOperation, str] = {}
        aliases: dict[tuple[QueryOperation, int], str] = {}
        relations: dict[QueryOperation, str] = {}
        sort_keys: dict[QueryOperation, frozenset[int]] = {}
        seen: set[int] = set()
        stack = [self]
        while stack:
            names = stack.pop()
            if id(names) in seen:
                continue
            seen.add(id(names))
            for operation, name in names.steps.items():
                steps.setdefault(operation, name)
            for place, name in names.aliases.items():
                aliases.setdefault(place, name)
            for operation, name in names.relations.items():
                relations.setdefault(operation, name)
            for operation, keys in names.sort_keys.items():
                sort_keys.setdefault(operation, keys)
            stack += reversed(names.parts)
        return RelationNames(steps, aliases, relations, sort_keys)

    def moved(self, before: QueryOperation, after: QueryOperation) -> RelationNames:
        """Transfer the names of the query ``before`` to ``after``, a query of the same form over other tables."""
        if before is after or not self:
            return self
        if type(after) is not type(before) and len(after.inputs) == 1:
            # An operation over the result, such as the casts of an INSERT.
            (after,) = after.inputs
        found: dict[QueryOperation, QueryOperation] = {}
        stack = [(before, after)]
        while stack:
            ours, theirs = stack.pop()
            if ours is theirs or ours in found:
                continue
            read, read_there = _list_reads(ours), _list_reads(theirs)
            is_same = type(ours) is type(theirs) and ours.schema.names == theirs.schema.names
            if is_same and len(read) == len(read_there):
                found[ours] = theirs
                stack += zip(read, read_there, strict=True)
        names = self.flattened()
        return RelationNames(
            {found.get(operation, operation): name for operation, name in names.steps.items()},
            {(found.get(reader, reader), index): name for (reader, index), name in names.aliases.items()},
            {found.get(operation, operation): name for operation, name in names.relations.items()},
            {found.get(operation, operation): keys for operation, keys in names.sort_keys.items()},
        )


NO_NAMES = RelationNames()
"""The names of a query from the fluent API."""


def _list_reads(operation: QueryOperation) -> Sequence[QueryOperation]:
    return (*operation.inputs, *operation.subqueries)
