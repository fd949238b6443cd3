"""The plan of a query: its blocks, which operations read which, and what becomes of the block of an input."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ir.column_references import column_references
from ir.contents import OUTER
from ir.normalization.blocks import Block, FromItem, SelectBlock, reads_of
from ir.normalization.facts import FactsOf
from ir.normalization.substitution import Substitution, Unfoldable
from ir.operations.operation import QueryOperation
from ir.operations.recursion import RecursiveReference
from ir.operations.source import SINGLE_ROW, InlineSource, Source, Values

# A correlated query that several read is written for each of them; with more conditions, as a query by itself.
_MOST_COPIED = 30

_LEAVES = frozenset((Source, InlineSource, RecursiveReference))


@attrs.frozen(eq=False)
class Plan:
    """The blocks of a query, each after those that it reads; ``uses`` says how many operations read one.

    ``operations`` are all operations of the query and of the queries in its expressions, inputs first.
    """

    root: QueryOperation
    operations: list[QueryOperation]
    blocks: dict[QueryOperation, Block]
    uses: dict[QueryOperation, int]
    has_subqueries: bool

    def block(self, operation: QueryOperation) -> Block:
        """Return the block of an operation; of a relation that needs none, the SELECT of all of its columns."""
        return self.blocks.get(operation) or all_of(operation)


def is_leaf(operation: QueryOperation) -> bool:
    """Whether an operation can stand in FROM without a SELECT."""
    if isinstance(operation, Values):
        return bool(operation.rows) and operation is not SINGLE_ROW
    return type(operation) in _LEAVES


def all_of(relation: QueryOperation) -> SelectBlock:
    """Return the SELECT of all columns of a relation."""
    if relation is SINGLE_ROW:
        nothing = column_references(relation.schema)
        return SelectBlock(relation, [], nothing, nothing)
    fields = column_references(relation.schema)
    return SelectBlock(relation, [FromItem(relation, relation.schema.names)], fields, fields)


class Blocks:
    """The blocks of a plan as they are made, inputs first."""

    def __init__(self, counts: dict[QueryOperation, int], selected: set[QueryOperation]) -> None:
        self.blocks: dict[QueryOperation, Block] = {}
        self._facts = FactsOf()
        self._counts = counts
        # What others than joins read.
        self._selected = selected
        self._substitution = Substitution(self._facts)

    def _own(self, operation: QueryOperation) -> Block | None:
        """Return the block of an operation that only one other operation reads."""
        return self.blocks.get(operation) if self._counts.get(operation) == 1 else None

    def _extended(
        self,
        operation: QueryOperation,
        input: QueryOperation,
        extend: Callable[[QueryOperation, SelectBlock], None],
    ) -> SelectBlock:
        """Return the block of the input with an operation more or, where it takes no more, a new one over it."""
        block = self._own(input) or self._copied(input)
        if isinstance(block, SelectBlock):
            try:
                extend(operation, block)
            except Unfoldable:
                pass
            else:
                self._take(input)
                return block
        new = all_of(input)
        extend(operation, new)
        return new

    def _copied(self, operation: QueryOperation) -> SelectBlock | None:
        """Return a copy of the block of an operation that cannot stand in WITH, so that each reader has it in place."""
        block = self.blocks.get(operation)
        refers_around = operation.contents & OUTER
        if not refers_around or not isinstance(block, SelectBlock):
            return None
        if len(block.where) + sum(map(len, block.on.values())) > _MOST_COPIED:
            return None
        return block.copy()

    def _take(self, operation: QueryOperation) -> None:
        """Note that a reader of an operation has its block now, and reads itself what that reads."""
        if self._counts[operation] == 1:
            del self.blocks[operation]
            return
        block = self.blocks[operation]
        assert isinstance(block, SelectBlock), "others are not copied"
        self._counts[operation] -= 1
        for read, _ in reads_of(block):
            self._counts[read] = self._counts.get(read, 0) + 1
