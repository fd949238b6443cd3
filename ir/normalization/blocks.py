"""SELECT blocks: operations that one SELECT says together, with the clauses that each of them takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import attrs

from ir.column_references import ColumnReferences
from ir.contents import QUERY
from ir.expressions import Call, FieldReference, ResolvedExpression, SortOrder, TableReference
from ir.functions.calls import call
from ir.functions.logic import AND
from ir.operations.aggregate import GroupingSets
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation
from ir.operations.set_operation import SetOperationType
from ir.records import record
from ir.schema import ResolvedSchema


class Condition(NamedTuple):
    """A condition of WHERE or HAVING, and the operation that has it."""

    expression: ResolvedExpression
    operation: QueryOperation


@record(eq=False)
class FromItem:
    """A relation of FROM: an operation, or what a table function or a lateral query gives for each row before it.

    ``names`` are the columns as the block calls them, no two alike in the whole FROM; ``condition`` is over the columns
    of this relation and of those before it. ``operation`` is the join, None for the first relation. Where ``sides`` are
    given, the condition is over the two inputs of the join as it was, and they are the places of these among the
    columns of FROM: so it need not be made again.
    """

    relation: QueryOperation | ResolvedExpression
    names: tuple[str, ...]
    join_type: JoinType | None = None
    condition: ResolvedExpression | None = None
    operation: QueryOperation | None = None
    sides: tuple[Sequence[int], Sequence[int]] | None = None

    def place_of(self, column: FieldReference) -> int:
        """Return which column of FROM one in the condition is, counted from 0."""
        return column.index if self.sides is None else self.sides[column.input_index][column.index]

    @property
    def is_lateral(self) -> bool:
        """Whether it is computed of the rows before it."""
        return isinstance(self.relation, ResolvedExpression)

    @property
    def own_names(self) -> tuple[str, ...]:
        """The columns as the relation itself calls them."""
        return self.relation.schema.names if isinstance(self.relation, QueryOperation) else self.names


@record(eq=False)
class Grouping:
    """The groups of a block: field references above it are to its keys, then to its aggregates."""

    keys: tuple[ResolvedExpression, ...]
    aggregates: tuple[ResolvedExpression, ...]
    schema: ResolvedSchema
    sets: GroupingSets | None = None

    @property
    def expressions(self) -> tuple[ResolvedExpression, ...]:
        """The keys, then the aggregates."""
        return self.keys + self.aggregates


@attrs.define(eq=False)
class Block:
    """What stands in parentheses: one SELECT, or a set operation, with the order and the limit of its rows.

    ``operation`` is the last of the operations that it says, and has its schema. ``order`` is over its own columns.
    """

    operation: QueryOperation
    order: tuple[SortOrder, ...] = attrs.field(default=(), kw_only=True)
    ordered_by: QueryOperation | None = attrs.field(default=None, kw_only=True)
    offset: int | None = attrs.field(default=None, kw_only=True)
    fetch: int | None = attrs.field(default=None, kw_only=True)

    @property
    def is_cut(self) -> bool:
        """Whether it has a limit."""
        return self.offset is not None or self.fetch is not None

    @property
    def is_cut_or_sorted(self) -> bool:
        """Whether it has an order or a limit."""
        return bool(self.order) or self.is_cut


@attrs.define(eq=False)
class SelectBlock(Block):
    """One SELECT.

    ``sources`` have the columns ``fields``, over which ``on``, ``where``, the grouping and, without one, ``columns``
    are; with one, ``having`` and ``columns`` are over that. ``hidden`` are columns after those, which only ``order`` is
    over. ``on`` has conditions of filters by the position of the inner join in ``sources`` whose ON clause takes them.
    """

    sources: list[FromItem]
    fields: ColumnReferences
    columns: Sequence[ResolvedExpression]
    on: dict[int, list[Condition]] = attrs.field(factory=dict)
    where: list[Condition] = attrs.field(factory=list)
    grouping: Grouping | None = None
    having: list[Condition] = attrs.field(factory=list)
    is_distinct: bool = False
    hidden: tuple[ResolvedExpression, ...] = ()
    # The operation that computes the columns.
    computed_by: QueryOperation | None = None
    # For each subquery of its expressions, the columns of FROM by the names that it has for them.
    outer: dict[QueryOperation, dict[str, FieldReference]] = attrs.field(factory=dict)
    # What is true of the columns: that some are computed, over a window, or anew each time.
    computes: bool = False
    has_over: bool = False
    is_random: bool = False

    def copy(self) -> SelectBlock:
        """Return a block that one reader changes and others do not."""
        return attrs.evolve(
            self,
            sources=list(self.sources),
            on={place: list(conditions) for place, conditions in self.on.items()},
            where=list(self.where),
            having=list(self.having),
            outer=dict(self.outer),
        )

    @property
    def is_plain(self) -> bool:
        """Whether it only chooses among the columns of FROM, of rows for which WHERE is TRUE."""
        return self.grouping is None and not self.is_distinct and not self.is_cut_or_sorted and not self.computes

    @property
    def has_all(self) -> bool:
        """Whether its columns are those of FROM, all of them and in their order."""
        return self.grouping is None and (self.columns is self.fields or self.columns[:] == self.fields[:])

    @property
    def begins_with_all(self) -> bool:
        """Whether its first columns are all those of its only relation, as they are."""
        width = len(self.fields)
        return (
            self.grouping is None
            and len(self.sources) == 1
            and not self.sources[0].is_lateral
            and (self.columns is self.fields or self.columns[:width] == self.fields[:])
            and self.operation.schema.names[:width] == self.sources[0].own_names
        )


@attrs.define(eq=False)
class SetBlock(Block):
    """The same set operation of two or more queries, from left to right."""

    kind: SetOperationType
    all: bool
    operands: list[QueryOperation]
    # The operations of all but the first operand, for their types.
    steps: list[QueryOperation]


@attrs.define(eq=False)
class OwnBlock(Block):
    """An operation that has a SELECT of its own, as in the layout NESTED."""


def conjuncts(condition: ResolvedExpression) -> list[ResolvedExpression]:
    """Return the conditions that are all TRUE where ``condition`` is, from left to right."""
    found: list[ResolvedExpression] = []
    stack = [condition]
    while stack:
        part = stack.pop()
        if isinstance(part, Call) and part.function is AND:
            stack.extend(reversed(part.arguments))
        else:
            found.append(part)
    return found


def conjunction(conditions: list[ResolvedExpression]) -> ResolvedExpression:
    """Return the condition that is TRUE where all are."""
    return conditions[0] if len(conditions) == 1 else call(AND, conditions)


def reads_of(block: SelectBlock, *, has_subqueries: bool = True) -> list[tuple[QueryOperation, bool]]:
    """Return the operations that a SELECT reads, and whether they are relations of its FROM: subqueries are not.

    ``has_subqueries`` says whether there may be any. Conditions in ``on`` have none.
    """
    if not has_subqueries:
        return [(item.relation, True) for item in block.sources if isinstance(item.relation, QueryOperation)]
    expressions: list[ResolvedExpression] = [] if block.columns is block.fields else [*block.columns]
    expressions += block.hidden
    expressions += [condition.expression for condition in (*block.where, *block.having)]
    if block.grouping is not None:
        expressions += block.grouping.expressions
    found: list[tuple[QueryOperation, bool]] = []
    for item in block.sources:
        if isinstance(item.relation, QueryOperation):
            found.append((item.relation, True))
        else:
            expressions.append(item.relation)
        if item.condition is not None:
            expressions.append(item.condition)
    return [*found, *[(query, False) for query in _queries(expressions)]]


def _queries(expressions: list[ResolvedExpression]) -> list[QueryOperation]:
    found: dict[QueryOperation, None] = {}
    for expression in expressions:
        if expression.contents & QUERY:
            found.update({p.operation: None for p in expression.walk() if isinstance(p, TableReference)})
    return list(found)
