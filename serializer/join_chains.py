"""Joins of relations with equal names in the layout NESTED: one SELECT for a chain of joins.

A join needs distinct names of its columns, so a projection below it renames the columns of its right side. In a SELECT
of its own, this projection keeps Spark from reusing the exchange of a table that is read twice. So the text names the
relations (``FROM t AS a JOIN t AS b``), and the SELECT renames the columns above all joins of the chain and above the
filter over them: Spark reorders joins by their conditions only without a projection between. The reader makes the
projection below the join again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ir.contents import LAMBDA, OUTER, QUERY, TIME_WINDOW
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import fold
from ir.names import choose_names_beside
from ir.operations.filter import Filter
from ir.operations.join import Join
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.source import SINGLE_ROW
from ir.relation_names import RelationNames
from serializer.clauses import join_keyword, write_join_condition
from serializer.expressions import expression_pieces
from serializer.items import Item, Line, Relation
from serializer.names import name_text, write_qualified_name
from serializer.nested_steps import find_names_with_fields
from serializer.notation import Notation
from serializer.select_block import text_lines
from serializer.step_names import Bases, UnusedNames

# The reader compares the names of a relation with those of all relations before it.
_MOST_JOINS = 30
# Subqueries and lambdas have names that could hide the alias of a relation.
_BOUND_BY_NAMES = QUERY | LAMBDA


class _Side(NamedTuple):
    """A relation of FROM under its alias, and the names of its columns above the joins."""

    relation: QueryOperation
    names: Sequence[str]
    alias: str | None


class JoinChains:
    """Writes chains of joins that rename columns.

    ``steps`` are the queries of WITH, and ``names`` the given names. ``plain`` are joins with a SELECT each.
    """

    def __init__(
        self, steps: Mapping[QueryOperation, str], names: RelationNames, plain: set[QueryOperation], notation: Notation
    ) -> None:
        self._steps = steps
        self._aliases = names.aliases
        self._base_of = Bases()
        self._plain = plain
        self._notation = notation

    def lines(self, operation: QueryOperation, joins: Join, depth: int) -> list[Item] | None:
        """Return the SELECT of a chain of joins, or of the filter over it.

        If each operation has a SELECT, return None, and note the joins of the chain as plain.
        """
        chain = self._chain(joins)
        condition = operation.condition if isinstance(operation, Filter) else None
        is_apart = condition is not None and condition.contents & (_BOUND_BY_NAMES | TIME_WINDOW)
        if chain and not is_apart:
            taken = self._find_taken_names(chain)
            renamed = [self._unwrap_renamed_side(join, taken) for join in chain]
            if any(renamed):
                return _select_lines(chain, self._sides(chain, renamed, taken), condition, depth, self._notation)
        self._plain.update(chain)
        return None

    def _chain(self, operation: QueryOperation) -> list[Join]:
        """Return the joins that one SELECT can express, in the order of FROM."""
        chain: list[Join] = []
        while (
            type(operation) is Join
            and operation not in self._plain
            and operation not in self._steps
            and not operation.contents & OUTER
            and not (operation.condition is not None and operation.condition.contents & _BOUND_BY_NAMES)
            and SINGLE_ROW not in operation.inputs
            and len(chain) < _MOST_JOINS
        ):
            chain.append(operation)
            operation = operation.left
        chain.reverse()
        return chain

    def _is_renamed(self, operation: QueryOperation) -> bool:
        return type(operation) is Project and operation not in self._steps and operation.is_renaming()

    def _find_taken_names(self, chain: Sequence[Join]) -> set[str]:
        """Return the folded names that an alias cannot have: of steps, and of columns with fields."""
        taken = {*map(fold, self._steps.values())}
        taken |= find_names_with_fields(chain[0].left)
        for join in chain:
            for relation in (join.right, *join.right.inputs):
                taken |= find_names_with_fields(relation)
        return taken

    def _unwrap_renamed_side(self, join: Join, taken: set[str]) -> _Side | None:
        """Return the right side without its projection if the reader makes the same projection, and take its alias."""
        right = join.right
        if not isinstance(right, Project) or not self._is_renamed(right):
            return None
        own, names = right.input.schema.names, right.names
        place = next(place for place, name in enumerate(names) if name != own[place])
        if not names[place].endswith(f"_{own[place]}"):
            return None
        prefix = names[place].removesuffix(f"_{own[place]}")
        given = self._aliases.get((join, 1))
        alias = prefix if given is None or fold(given) != prefix else given
        if not alias or fold(alias) in taken:
            return None
        qualifiers = dict.fromkeys(range(len(own)), fold(alias))
        if choose_names_beside(own, join.left.schema.names, qualifiers) != list(names):
            return None
        taken.add(fold(alias))
        return _Side(right.input, names, alias)

    def _sides(self, chain: Sequence[Join], renamed: Sequence[_Side | None], taken: set[str]) -> list[_Side]:
        """Return the relations of FROM, with aliases for all whose columns have names of columns of others."""
        first = chain[0].left
        sides = [_Side(first, first.schema.names, self._aliases.get((chain[0], 0)))]
        for join, side in zip(chain, renamed, strict=True):
            sides.append(side or _Side(join.right, join.right.schema.names, self._aliases.get((join, 1))))
        readers = Counter([fold(name) for side in sides for name in side.relation.schema.names])
        unused = UnusedNames(taken)
        found: list[_Side] = []
        for side in sides:
            alias = side.alias
            if side not in renamed:
                is_needed = any(readers[fold(name)] > 1 for name in side.names)
                if alias is None and is_needed:
                    alias = self._base_of(side.relation)
                if alias is not None:
                    alias = unused.take(alias) if is_needed or fold(alias) not in taken else None
            found.append(side._replace(alias=alias))
        return found


def _select_lines(
    chain: Sequence[Join],
    sides: Sequence[_Side],
    condition: ResolvedExpression | None,
    depth: int,
    notation: Notation,
) -> list[Item]:
    """Return the SELECT of joins and of a filter, with their columns under the names that they have above them."""
    texts: list[str] = []
    items: list[str] = []
    for relation, names, alias in sides:
        for own, name in zip(relation.schema.names, names, strict=True):
            text = name_text(own, notation) if alias is None else write_qualified_name(alias, own, notation)
            texts.append(text)
            items.append(text if own == name else f"{text} AS {name_text(name, notation)}")
    first, *others = sides
    lines = [*text_lines("SELECT", items, depth), Relation(depth, "FROM", first.relation, first.alias)]
    width = len(first.names)
    for join, side in zip(chain, others, strict=True):
        is_correlated = bool(join.contents & OUTER)
        keyword = join_keyword(join.join_type, join.condition, notation, is_correlated=is_correlated)
        lines.append(Relation(depth, keyword, side.relation, side.alias))
        lines += write_join_condition(join.join_type, join.condition, depth, notation, _columns_of(texts, width))
        width += len(side.names)
    if condition is not None:
        pieces = expression_pieces(condition, notation, is_condition=True, columns=_columns_of(texts, width))
        lines.append(Line(depth, ("WHERE ", *pieces)))
    return lines


def _columns_of(texts: Sequence[str], width: int) -> Callable[[FieldReference], str]:
    """Return how a condition names columns: the first ``width`` are those of its left side."""
    return lambda column: texts[column.index + (width if column.input_index else 0)]
