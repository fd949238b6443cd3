"""Writes the user's aliases of relations in the layout NESTED."""

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
from serializer.items import Item, Relation
from serializer.nested_steps import find_names_with_fields
from serializer.scopes import find_visible_names

# Other operations write text between an input and its alias, or give the alias a meaning.
_WITH_ALIASES = (Aggregate, Distinct, Filter, Join, LateralJoin, Project, Sort)
# The layout's own aliases, for inputs that subqueries refer to, begin with this.
_OWN = "outer"


class GivenAliases:
    """The user's aliases of inputs, except those that would change the meaning."""

    def __init__(self, names: RelationNames, steps: set[str]) -> None:
        self._names = names
        self._steps = steps
        # Each alias counts once for its reader and once for the relation.
        self._readers = Counter(map(fold, names.aliases.values()))

    def add_to_relations(self, operation: QueryOperation, items: list[Item]) -> list[Item]:
        """Add the aliases to the inputs of a SELECT."""
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
        """Return the alias of the right side of a lateral join."""
        alias = self._alias(operation, 1) if isinstance(operation, LateralJoin) else None
        return None if alias is None or fold(alias) in find_visible_names(operation) else alias

    def unique_alias(self, operation: QueryOperation, position: int, seen: set[str]) -> str | None:
        """Return the alias of an input that subqueries refer to, None if the alias would be ambiguous there.

        ``seen`` are the folded column names that win over the alias.
        """
        alias = self._alias(operation, position)
        if alias is None or fold(alias) in seen or self._readers[fold(alias)] > 1:
            return None
        return alias

    def _alias(self, operation: QueryOperation, position: int) -> str | None:
        alias = self._names.aliases.get((operation, position))
        if alias is None or fold(alias) in self._steps or fold(alias).startswith(_OWN):
            return None
        # If a column has the name and has fields, its field would be read as a column of the relation.
        return None if any(fold(alias) in find_names_with_fields(input) for input in operation.inputs) else alias
