"""Records the names of relations in a text while its queries are built."""

from __future__ import annotations

from grammar.builder.scopes import Relation
from ir.operations.operation import QueryOperation
from ir.relation_names import RelationNames

# A SELECT makes fewer operations. Below that, the input is another relation.
_MOST_OPERATIONS = 12


class NotedNames:
    """Records the names of WITH queries and relations; for several names of the same operation, the first."""

    def __init__(self) -> None:
        self._steps: dict[QueryOperation, str] = {}
        self._aliases: dict[tuple[QueryOperation, int], str] = {}
        self._relations: dict[QueryOperation, str] = {}
        self._sort_keys: dict[QueryOperation, frozenset[int]] = {}
        self._tables: set[QueryOperation] = set()

    def note_step(self, operation: QueryOperation, name: str) -> None:
        """Record the name of a query of WITH."""
        self._steps.setdefault(operation, name)

    def note_same(self, operation: QueryOperation, other: QueryOperation) -> None:
        """Record that another operation has the same rows, and so the same name in WITH."""
        if other is not operation and operation in self._steps:
            self.note_step(other, self._steps[operation])

    def keep_apart(self, left: Relation, right: Relation) -> Relation:
        """Rename fields of a join's right side that equal fields of the left side, and keep the recorded name."""
        apart = right.without(left.operation.schema.names)
        self.note_same(right.operation, apart.operation)
        return apart

    def note_alias(self, relation: Relation, alias: str) -> Relation:
        """Record the alias of a relation for any reader, and return the relation with the alias."""
        relation.alias = alias
        self._relations.setdefault(relation.operation, alias)
        return relation

    def note_table(self, operation: QueryOperation) -> None:
        """Record that a table is read without an alias, so that it has an alias only where one is written."""
        self._tables.add(operation)

    def note_sides(self, reader: QueryOperation, *sides: Relation) -> None:
        """Record the aliases of the inputs of an operation."""
        for index, side in enumerate(sides):
            if side.alias is not None:
                self._aliases.setdefault((reader, index), side.alias)

    def note_reader(self, made: QueryOperation, relation: Relation) -> None:
        """Record the alias of the only relation of a FROM for the operation of the SELECT that reads it."""
        if relation.alias is None:
            return
        for _ in range(_MOST_OPERATIONS):
            if not made.inputs or made is relation.operation:
                return
            if made.inputs[0] is relation.operation:
                self._aliases.setdefault((made, 0), relation.alias)
                return
            made = made.inputs[0]

    def note_sort_keys(self, operation: QueryOperation, keys: frozenset[int]) -> None:
        """Record the positions of the columns that ORDER BY calls by their names in FROM and not in SELECT."""
        if keys:
            self._sort_keys.setdefault(operation, keys)

    def names(self) -> RelationNames:
        """Return the recorded names."""
        for table in self._tables:
            self._relations.pop(table, None)
        return RelationNames(self._steps, self._aliases, self._relations, self._sort_keys)
