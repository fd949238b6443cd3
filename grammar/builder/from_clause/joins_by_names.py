"""Builds joins by USING and NATURAL, which merge columns of one name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from grammar import syntax as s
from grammar.builder.from_clause.relation_names import NotedNames
from grammar.builder.scopes import Column, Relation, Scope, exclude_keys
from ir.calls import call
from ir.expressions import Expression, FieldReference
from ir.functions import logic as lg
from ir.functions.comparison import EQUALS
from ir.functions.logic import COALESCE
from ir.identifiers import fold
from ir.names import make_distinct
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.unresolved import UnresolvedCall


class Joiner(Protocol):
    """Builds joins on a condition."""

    noted: NotedNames

    def build_join(
        self, left: Relation, right: Relation, join_type: JoinType, condition: Expression | None, position: int
    ) -> Relation:
        """Return the join of two relations on a condition."""
        ...


def find_shared_keys(
    left: Relation, right: Relation, node: s.Join, *, is_natural: bool
) -> list[tuple[Column, Column]] | None:
    """Return the pairs of columns by which NATURAL or USING joins, None for another join.

    If one side has several columns of a name, Spark takes the first.
    """
    if not is_natural and node.using is None:
        return None
    mine, theirs = left.by_name(), right.by_name()
    if is_natural:
        return [(column, theirs[name]) for name, column in mine.items() if name in theirs]
    pairs = []
    for name in node.using or ():
        key = fold(name.text)
        for side, columns in ((left, mine), (right, theirs)):
            if key not in columns:
                error = Scope(side.columns).unknown(s.Path(name.position, [name]))
                error.condition = "UNRESOLVED_USING_COLUMN_FOR_JOIN"
                raise error
        pairs.append((mine[key], theirs[key]))
    return pairs


def join_by_names(
    builder: Joiner,
    left: Relation,
    right: Relation,
    join_type: JoinType,
    shared: Sequence[tuple[Column, Column]],
    position: int,
) -> Relation:
    """Build a join on equal columns. Each pair becomes one column, which comes first in a star.

    The replaced columns are hidden and can be named only with their relation.
    """
    places = [(left.columns.index(ours), right.columns.index(theirs)) for ours, theirs in shared]
    right = builder.noted.keep_apart(left, right)
    tests: list[Expression] = []
    for ours, theirs in places:
        field = right.columns[theirs].field
        tests.append(UnresolvedCall(EQUALS, (left.columns[ours].field, field.evolve(input_index=1))))
    condition = None if not tests else tests[0] if len(tests) == 1 else UnresolvedCall(lg.AND, tuple(tests))
    relation = builder.build_join(left, right, join_type, condition, position)
    width = len(left.columns)
    operation, columns = relation.operation, relation.columns
    lefts = [columns[ours] for ours, _ in places]
    rights = [columns[width + theirs] for _, theirs in places]
    if join_type is JoinType.FULL_OUTER and places:
        operation, merged = _merge_keys(relation, list(zip(lefts, rights, strict=True)))
        kept, left_out = merged, [*lefts, *rights]
    elif join_type is JoinType.RIGHT_OUTER:
        named = {
            id(theirs): Column(ours.name, theirs.qualifier, theirs.field, False, theirs.origin)
            for ours, theirs in zip(lefts, rights, strict=True)
        }
        kept = [named[id(theirs)] for theirs in rights]
        left_out = lefts
    else:
        kept, left_out = lefts, rights
    others = [*exclude_keys(columns[:width], lefts), *exclude_keys(columns[width:], rights)]
    hidden_by_id = {id(c): c.moved(c.field, hidden=True) for c in left_out}
    hidden = [hidden_by_id[id(c)] for c in left_out]
    found = [*kept, *[c for c in others if not c.hidden], *hidden, *[c for c in others if c.hidden]]
    # A name that USING repeats gives the same column twice, which a name denotes without ambiguity.
    moved = {id(c): c.moved(_refer_to_column(operation, c.field.index)) for c in found}
    if len(set(map(id, kept))) < len(kept):
        for column in map(moved.__getitem__, map(id, kept)):
            # A further join makes a new column of each of the two.
            column.origin = column.origin or object()
    return Relation(operation, [moved[id(c)] for c in found], tested=relation.tested)


def _merge_keys(relation: Relation, pairs: Sequence[tuple[Column, Column]]) -> tuple[QueryOperation, list[Column]]:
    """Add a column to a full join for each pair of keys: the left value, or the right one if the left is NULL."""
    fields = relation.operation.schema
    own = [_refer_to_column(relation.operation, i) for i in range(len(fields))]
    merged = [call(COALESCE, (ours.field, theirs.field)) for ours, theirs in pairs]
    shown = [ours.name for ours, _ in pairs]
    names = make_distinct([f"{name}_merged" for name in shown], fields.names)
    operation = project(relation.operation, (*own, *merged), (*fields.names, *names))
    return operation, [Column(n, (), _refer_to_column(operation, len(fields) + i)) for i, n in enumerate(shown)]


def put_keys_first(relation: Relation, keys: Sequence[Column]) -> Relation:
    """Return the left side of a SEMI or ANTI JOIN by names, with the keys before its other columns."""
    return Relation(relation.operation, [*keys, *exclude_keys(relation.columns, keys)])


def _refer_to_column(operation: QueryOperation, index: int) -> FieldReference:
    column = operation.schema.columns[index]
    return FieldReference(column.name, column.data_type, 0, index)
