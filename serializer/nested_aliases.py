"""The aliases of relations in the layout NESTED that a person gave."""

from __future__ import annotations

from collections import Counter

from ir.identifiers import fold
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Distinct, Filter
from ir.operations.join import Join
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.sort import Sort
from ir.relation_names import RelationNames
from serializer.nested_steps import names_with_fields
from serializer.scopes import names_in_sight
from serializer.select_block import Item, Relation

# Other operations write something between their input and its alias, or mean something by that.
_WITH_ALIASES = (Aggregate, Distinct, Filter, Join, LateralJoin, Project, Sort)
# What the layout itself calls an input to which subqueries refer begins with this.
_OWN = "outer"


class GivenAliases:
    """Aliases of inputs by what a person called them, but for those that would mean something else."""

    def __init__(self, names: RelationNames, steps: set[str]) -> None:
        self._names = names
        self._steps = steps
        # An alias is there for its reader, and once more for the relation.
        self._readers = Counter(map(fold, names.aliases.values()))

    def in_relations(self, operation: QueryOperation, items: list[Item]) -> list[Item]:
        """Return the items of a SELECT with the aliases of its inputs."""
        if not isinstance(operation, _WITH_ALIASES):
            return items
        written: list[Item] = []
        position = 0
        taken: set[str] = set()
        for item in items:
            if isinstance(item, Relation) and position < len(operation.inputs):
                alias = item.alias or self._alias(operation, position)
                if alias is not None and fold(alias) not in taken:
                    taken.add(fold(alias))
                    item = item._replace(alias=alias)
                position += 1
            written.append(item)
        return written

    def lateral_alias(self, operation: QueryOperation) -> str | None:
        """Return the alias of what a lateral join has beside its input."""
        alias = self._alias(operation, 1) if isinstance(operation, LateralJoin) else None
        return None if alias is None or fold(alias) in names_in_sight(operation) else alias

    def unique_alias(self, operation: QueryOperation, position: int, seen: set[str]) -> str | None:
        """Return the alias of an input to which subqueries refer, None where they would find something else by it.

        ``seen`` are folded names of columns that come first there.
        """
        alias = self._alias(operation, position)
        if alias is None or fold(alias) in seen or self._readers[fold(alias)] > 1:
            return None
        return alias

    def _alias(self, operation: QueryOperation, position: int) -> str | None:
        alias = self._names.aliases.get((operation, position))
        if alias is None or fold(alias) in self._steps or fold(alias).startswith(_OWN):
            return None
        # The field of a column of the name would be read as a column of the relation.
        return None if any(fold(alias) in names_with_fields(input) for input in operation.inputs) else alias
