"""Writes filters by EXISTS over a stream as LEFT SEMI JOIN, which Spark runs, while it refuses such a subquery."""

from __future__ import annotations

from collections.abc import Mapping

from ir.expressions import FieldReference
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.operations.semi_join import SemiJoin, find_semi_join
from ir.relation_names import RelationNames
from serializer.expressions import expression_pieces
from serializer.items import Item, Line, Relation
from serializer.names import write_qualified_names
from serializer.nested_steps import find_names_with_fields
from serializer.notation import Notation
from serializer.select_block import text_lines
from serializer.step_names import Bases, UnusedNames


def semi_join_lines(
    operation: QueryOperation,
    depth: int,
    notation: Notation,
    steps: Mapping[QueryOperation, str],
    names: RelationNames,
) -> list[Item] | None:
    """Return the SELECT of a semi join with a stream, None for any other operation, or if the dialect writes EXISTS.

    Args:
        operation: the operation.
        depth: the indentation depth.
        notation: the notation of the dialect.
        steps: the queries of WITH.
        names: the given names of relations.
    """
    semi_join = None if notation.joins_streams_by_exists else find_semi_join(operation)
    if semi_join is None:
        return None
    left, right = semi_join.left, semi_join.right
    aliases = _choose_aliases(operation, semi_join, steps, names)
    texts = [
        write_qualified_names(alias, side.schema.names, notation)
        for side, alias in zip((left, right), aliases, strict=True)
    ]

    def column(field: FieldReference) -> str:
        return texts[field.input_index][field.index]

    return [
        *text_lines("SELECT", texts[0] or ("*",), depth),
        Relation(depth, "FROM", left, aliases[0]),
        Relation(depth, "LEFT SEMI JOIN", right, aliases[1]),
        Line(depth, ("ON ", *expression_pieces(semi_join.condition, notation, columns=column))),
    ]


def _choose_aliases(
    operation: QueryOperation, semi_join: SemiJoin, steps: Mapping[QueryOperation, str], names: RelationNames
) -> tuple[str, str]:
    """Return the aliases of both sides: the given ones, or the names of the tables that are read first."""
    left, right = semi_join.left, semi_join.right
    # A column of the same name that has fields would be found first.
    taken = {*map(fold, steps.values()), *find_names_with_fields(left), *find_names_with_fields(right)}
    unused, base_of = UnusedNames(taken), Bases()
    first = names.aliases.get((operation, 0)) or names.relations.get(left) or base_of(left)
    second = names.aliases.get((semi_join.matches, 0)) or names.relations.get(right) or base_of(right)
    return unused.take(first), unused.take(second)
