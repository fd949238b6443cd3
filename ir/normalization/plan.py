"""The plan of a query: its blocks, the readers of each operation, and the reuse of the block of an input."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ir import light_attrs as attrs
from ir.column_references import column_references
from ir.contents import CHANGING, OUTER
from ir.normalization.blocks import Block, FromItem, SelectBlock, find_reads
from ir.normalization.facts import FactCache
from ir.normalization.substitution import Substitution, Unfoldable
from ir.operations.aggregate import Aggregate
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.recursion import RecursiveReference
from ir.operations.source import SINGLE_ROW, InlineSource, Source, Values
from ir.operations.watermark import Watermark

# A correlated query with several readers is written once for each; with more conditions, as a query of its own. So is
# a list of tables, with more tables.
_MOST_COPIED = 30

_LEAVES = frozenset((Source, InlineSource, RecursiveReference))


@attrs.frozen(eq=False)
class Plan:
    """The blocks of a query, each after the blocks that it reads; ``uses`` counts the readers of each operation.

    ``operations`` are all operations of the query and of its subqueries, inputs first.
    """

    root: QueryOperation
    operations: list[QueryOperation]
    blocks: dict[QueryOperation, Block]
    uses: dict[QueryOperation, int]
    has_subqueries: bool

    def block(self, operation: QueryOperation) -> Block:
        """Return the block of an operation; for a leaf, the SELECT of all its columns."""
        return self.blocks.get(operation) or select_all_columns(operation)


def is_leaf(operation: QueryOperation) -> bool:
    """Whether an operation can stand in FROM without a SELECT."""
    if isinstance(operation, Values):
        return bool(operation.rows) and operation is not SINGLE_ROW
    return type(operation) in _LEAVES or (type(operation) is Watermark and type(operation.input) is Source)


def select_all_columns(relation: QueryOperation) -> SelectBlock:
    """Return the SELECT of all columns of a relation."""
    if relation is SINGLE_ROW:
        nothing = column_references(relation.schema)
        return SelectBlock(relation, [], nothing, nothing)
    fields = column_references(relation.schema)
    return SelectBlock(relation, [FromItem(relation, relation.schema.names)], fields, fields)


def find_twins(operations: Iterable[QueryOperation]) -> dict[QueryOperation, QueryOperation]:
    """Return the aggregations that differ from an earlier one in names alone, each with that one.

    ``FROM w AS x JOIN w AS y`` gives other names to the columns of ``y``. An aggregation holds its names itself, so
    that ``y`` is another operation than ``x``. Other operations are renamed by a projection above them.
    """
    first: dict[tuple[object, ...], QueryOperation] = {}
    found: dict[QueryOperation, QueryOperation] = {}
    for operation in operations:
        if type(operation) is Aggregate:
            computed = (operation.input, operation.group_keys, operation.aggregates, operation.grouping_sets)
            twin = first.setdefault(computed, operation)
            if twin is not operation and not operation.contents & (OUTER | CHANGING):
                found[operation] = twin
    return found


def _lists_tables(block: SelectBlock) -> bool:
    """Whether a block is all columns of several tables, in all combinations of their rows."""
    return (
        1 < len(block.sources) <= _MOST_COPIED
        and block.is_plain
        and block.columns is block.fields
        and not block.where
        and not block.on
        and all(map(_is_table_without_condition, block.sources))
    )


def _is_table_without_condition(item: FromItem) -> bool:
    join = item.operation
    is_crossed = join is None or (item.join_type is JoinType.INNER and not join.expressions)
    # Rows that a text contains are not written twice.
    return is_crossed and isinstance(item.relation, Source)


class Blocks:
    """The blocks of a plan while they are made, inputs first."""

    def __init__(self, counts: dict[QueryOperation, int], selected: set[QueryOperation]) -> None:
        self.blocks: dict[QueryOperation, Block] = {}
        self._facts = FactCache()
        self._counts = counts
        # The operations that something else than a join reads.
        self._selected = selected
        self._substitution = Substitution(self._facts)

    def _find_own_block(self, operation: QueryOperation) -> Block | None:
        """Return the block of an operation with a single reader."""
        return self.blocks.get(operation) if self._counts.get(operation) == 1 else None

    def _extend(
        self,
        operation: QueryOperation,
        input: QueryOperation,
        extend: Callable[[QueryOperation, SelectBlock], None],
    ) -> SelectBlock:
        """Return the block of the input extended by an operation, or a new block over it if it cannot be extended."""
        block = self._find_own_block(input) or self._copy(input)
        # A projection that only renames is a side of a join, which reads the same query of WITH as others.
        if block is None and input in self.blocks and not (type(operation) is Project and operation.is_renaming()):
            block = self._copy_tables(input)
        if isinstance(block, SelectBlock):
            try:
                extend(operation, block)
            except Unfoldable:
                pass
            else:
                self._take(input)
                return block
        new = select_all_columns(input)
        extend(operation, new)
        return new

    def _copy(self, operation: QueryOperation) -> SelectBlock | None:
        """Return a copy of the block of a correlated operation, which WITH cannot hold: each reader gets its own."""
        block = self.blocks.get(operation)
        refers_around = operation.contents & OUTER
        if not refers_around or not isinstance(block, SelectBlock):
            return None
        if len(block.where) + sum(map(len, block.on.values())) > _MOST_COPIED:
            return None
        return block.copy()

    def _copy_tables(self, operation: QueryOperation) -> SelectBlock | None:
        """Return a copy of a list of tables without a condition, such as ``FROM a, b`` in two queries.

        There is nothing to share but the list, which is shorter than a query of WITH with all columns.
        """
        block = self.blocks[operation]
        return block.copy() if isinstance(block, SelectBlock) and _lists_tables(block) else None

    def _take(self, operation: QueryOperation) -> None:
        """Record that one reader of an operation has taken its block, and now reads the inputs of the block itself."""
        if self._counts[operation] == 1:
            del self.blocks[operation]
            return
        block = self.blocks[operation]
        assert isinstance(block, SelectBlock), "others are not copied"
        self._counts[operation] -= 1
        for read, _ in find_reads(block):
            self._counts[read] = self._counts.get(read, 0) + 1
