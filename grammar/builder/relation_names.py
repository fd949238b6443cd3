"""The names of relations in a text, noted while its queries are built."""

from __future__ import annotations

from grammar.builder.scopes import Relation
from ir.operations.operation import QueryOperation
from ir.relation_names import RelationNames

# The operations that a SELECT makes are fewer. Further down, the relation has become another one.
_MOST_OPERATIONS = 12


class NotedNames:
    """Notes what queries of WITH and relations are called; of several names for the same, the first."""

    def __init__(self) -> None:
        self._steps: dict[QueryOperation, str] = {}
        self._aliases: dict[tuple[QueryOperation, int], str] = {}
        self._relations: dict[QueryOperation, str] = {}
        self._tables: set[QueryOperation] = set()

    def note_step(self, operation: QueryOperation, name: str) -> None:
        """Note the name of a query of WITH."""
        self._steps.setdefault(operation, name)

    def note_same(self, operation: QueryOperation, other: QueryOperation) -> None:
        """Note that an operation has the rows of another one, and so its name in WITH."""
        if other is not operation and operation in self._steps:
            self.note_step(other, self._steps[operation])

    def keep_apart(self, left: Relation, right: Relation) -> Relation:
        """Return the right side of a join with no column called as one of the left side inside; its name stays."""
        apart = right.without(left.operation.schema.names)
        self.note_same(right.operation, apart.operation)
        return apart

    def note_alias(self, relation: Relation, alias: str) -> Relation:
        """Note the alias of a relation, whoever reads it, and return the relation with it."""
        relation.alias = alias
        self._relations.setdefault(relation.operation, alias)
        return relation

    def note_table(self, operation: QueryOperation) -> None:
        """Note that a table is read by its own name, so that it has no alias but where one was written."""
        self._tables.add(operation)

    def note_sides(self, reader: QueryOperation, *sides: Relation) -> None:
        """Note the aliases of the relations that an operation reads."""
        for index, side in enumerate(sides):
            if side.alias is not None:
                self._aliases.setdefault((reader, index), side.alias)

    def note_reader(self, made: QueryOperation, relation: Relation) -> None:
        """Note the alias of the only relation of a FROM, of which a SELECT has made an operation."""
        if relation.alias is None:
            return
        for _ in range(_MOST_OPERATIONS):
            if not made.inputs or made is relation.operation:
                return
            if made.inputs[0] is relation.operation:
                self._aliases.setdefault((made, 0), relation.alias)
                return
            made = made.inputs[0]

    def names(self) -> RelationNames:
        """Return all that was noted."""
        for table in self._tables:
            self._relations.pop(table, None)
        return RelationNames(self._steps, self._aliases, self._relations)
