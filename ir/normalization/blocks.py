"""SELECT blocks: the operations that one SELECT expresses, with the clauses that each of them fills."""

from __future__ import annotations

from collections.abc import Sequence

from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.calls import call
from ir.column_references import ColumnReferences
from ir.contents import QUERY
from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.functions.logic import AND
from ir.light_tuples import NamedTuple
from ir.operations.aggregate import GroupingSets
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.set_operation import SetOperationType
from ir.records import record
from ir.schema import ResolvedSchema


class Condition(NamedTuple):
    """A conjunct of WHERE or HAVING, and the operation from which it comes."""

    expression: ResolvedExpression
    operation: QueryOperation


@record(eq=False)
class FromItem:
    """A relation of FROM: an operation, or a table function or lateral query that depends on the rows before it.

    ``names`` are the column names in the block, unique in the whole FROM. ``condition`` is over the columns of this
    relation and the preceding ones. ``operation`` is the join, None for the first relation. If ``sides`` is given, the
    condition is over the two inputs of the original join, and ``sides`` are the positions of their columns in FROM, so
    that the condition need not be rewritten.
    """

    relation: QueryOperation | ResolvedExpression
    names: tuple[str, ...]
    join_type: JoinType | None = None
    condition: ResolvedExpression | None = None
    operation: QueryOperation | None = None
    sides: tuple[Sequence[int], Sequence[int]] | None = None

    def place_of(self, column: FieldReference) -> int:
        """Return the position in FROM of a column in the condition, counted from 0."""
        return column.index if self.sides is None else self.sides[column.input_index][column.index]

    @property
    def is_lateral(self) -> bool:
        """Whether the relation depends on the rows before it."""
        return isinstance(self.relation, ResolvedExpression)

    @property
    def own_names(self) -> tuple[str, ...]:
        """The column names in the relation itself."""
        return self.relation.schema.names if isinstance(self.relation, QueryOperation) else self.names


@record(eq=False)
class Grouping:
    """The grouping of a block. Field references above it are to its keys, then to its aggregates."""

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
    """A SELECT or a set operation in parentheses, with its order and limit.

    ``operation`` is the topmost operation that the block expresses, and has the schema of the block. ``order`` is over
    the columns of the block.
    """

    operation: QueryOperation
    order: tuple[SortOrder, ...] = attrs.field(default=(), kw_only=True)
    ordered_by: QueryOperation | None = attrs.field(default=None, kw_only=True)
    offset: int | None = attrs.field(default=None, kw_only=True)
    fetch: int | None = attrs.field(default=None, kw_only=True)

    @property
    def is_cut(self) -> bool:
        """Whether the block has a limit or an offset."""
        return self.offset is not None or self.fetch is not None

    @property
    def is_cut_or_sorted(self) -> bool:
        """Whether the block has an order, a limit or an offset."""
        return bool(self.order) or self.is_cut


@attrs.define(eq=False)
class SelectBlock(Block):
    """One SELECT.

    ``sources`` have the columns ``fields``. ``on``, ``where`` and the grouping are over these. ``columns`` and
    ``having`` are over the grouping, or, without one, over ``fields``. ``hidden`` are columns after ``columns`` to
    which only ``order`` refers. ``on`` holds conditions of filters, by the position in ``sources`` of the inner join
    whose ON clause takes them.
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
    # For each subquery in the expressions, the columns of FROM by the names that the subquery uses for them.
    outer: dict[QueryOperation, dict[str, FieldReference]] = attrs.field(factory=dict)
    # Whether some columns are computed, contain OVER calls, or are nondeterministic.
    computes: bool = False
    has_over: bool = False
    is_random: bool = False

    def copy(self) -> SelectBlock:
        """Return an independent copy of the block."""
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
        """Whether the block only selects columns of FROM, for rows that satisfy WHERE."""
        return self.grouping is None and not self.is_distinct and not self.is_cut_or_sorted and not self.computes

    @property
    def selects_all_columns(self) -> bool:
        """Whether the columns of the block are all columns of FROM in their order, under any names."""
        return self.grouping is None and len(self.columns) == len(self.fields) and self._begins_with_fields()

    def _begins_with_fields(self) -> bool:
        """Whether the first columns are those of FROM; references to one may have the names of different operations."""
        if self.columns is self.fields:
            return True
        first = self.columns[: len(self.fields)]
        return len(first) == len(self.fields) and all(
            isinstance(column, FieldReference) and column.index == place for place, column in enumerate(first)
        )

    @property
    def begins_with_all(self) -> bool:
        """Whether the columns begin with all columns of the only relation, in order and under their own names."""
        return (
            self.grouping is None
            and len(self.sources) == 1
            and not self.sources[0].is_lateral
            and self._begins_with_fields()
            and self.operation.schema.names[: len(self.fields)] == self.sources[0].own_names
        )


@attrs.define(eq=False)
class SetBlock(Block):
    """A chain of one set operation over two or more queries, from left to right."""

    kind: SetOperationType
    all: bool
    operands: list[QueryOperation]
    # The operations that add the operands after the first, for their schemas.
    steps: list[QueryOperation]


@attrs.define(eq=False)
class SingleOperationBlock(Block):
    """An operation with a SELECT of its own, as in the layout NESTED."""


def conjuncts(condition: ResolvedExpression) -> list[ResolvedExpression]:
    """Return the conjuncts of a condition, from left to right."""
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
    """Return the conjunction of conditions."""
    return conditions[0] if len(conditions) == 1 else call(AND, conditions)


def find_reads(block: SelectBlock, *, has_subqueries: bool = True) -> list[tuple[QueryOperation, bool]]:
    """Return the operations that a SELECT reads, and whether each is a relation of its FROM or a subquery.

    ``has_subqueries`` says whether the query may contain subqueries. Conditions in ``on`` never do.
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
