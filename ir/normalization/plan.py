"""The plan of a query: its blocks, the readers of each operation, and the reuse of the block of an input."""

from __future__ import annotations

from collections.abc import Callable

from ir import light_attrs as attrs
from ir.column_references import column_references
from ir.contents import OUTER
from ir.normalization.blocks import Block, FromItem, SelectBlock, find_reads
from ir.normalization.facts import FactCache
from ir.normalization.substitution import Substitution, Unfoldable
from ir.operations.operation import QueryOperation
from ir.operations.recursion import RecursiveReference
from ir.operations.source import SINGLE_ROW, InlineSource, Source, Values
from ir.operations.watermark import Watermark

# A correlated query with several readers is written once for each; with more conditions, as a query of its own.
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
