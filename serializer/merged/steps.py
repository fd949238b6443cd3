"""Which blocks stand in WITH, and what they are called there."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ir.contents import CHANGING, OUTER
from ir.expressions import FieldReference
from ir.identifiers import fold
from ir.normalization.blocks import Block, OwnBlock, SelectBlock, SetBlock, reads_of
from ir.normalization.plan import Plan, is_leaf
from ir.operations.hint import Sample
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute
from ir.operations.recursion import Recursion, RecursiveReference
from ir.operations.source import Source, Values
from serializer.hint_blocks import distribution_below

# Spark resolves queries that read each other in WITH one after the other, in at most 100 rounds, two for some of them.
_LONGEST_CHAIN = 30


@attrs.frozen(eq=False)
class Steps:
    """The queries of WITH by their names, in order, how many blocks the text has, and how many read each other.

    ``base_of`` gives the table after which an operation is named.
    """

    names: dict[QueryOperation, str]
    base_of: Callable[[QueryOperation], str]
    size: int
    chain: int


def steps_of(plan: Plan) -> Steps:
    """Return what stands in WITH: what several blocks read, and what a block reads that is no relation itself.

    What depends on the row of a query around it, or on the rows of a recursive query, stays in its place; so does what
    has another value each time and is read more than once, since WITH would give all readers the same.
    """
    if len(plan.blocks) <= 1:
        # Nothing reads a block.
        return Steps({}, _Bases(), 1, len(plan.blocks))
    heights: dict[QueryOperation, int] = {}
    reads: dict[QueryOperation, list[tuple[QueryOperation, bool]]] = {}
    for operation, block in plan.blocks.items():
        reads[operation] = [
            (read, in_from or (isinstance(block, SetBlock) and not isinstance(plan.blocks[read], SelectBlock)))
            for read, in_from in _read_by(block, plan)
            if read in plan.blocks
        ]
        heights[operation] = 1 + max([heights[read] for read, _ in reads[operation]], default=0)
    chain = max(heights.values(), default=0)
    group = -(-chain // _LONGEST_CHAIN)
    wanted = {
        read: plan.uses[read] > 1
        for operation in plan.blocks
        for read, in_from in reads[operation]
        if (plan.uses[read] > 1 or (in_from and heights[read] % group == 0)) and read is not plan.root
    }
    chosen: set[QueryOperation] = set()
    if wanted:
        bound = _bound_to_place(plan)
        random = _random(plan) if any(wanted.values()) else set()
        chosen = {read for read, shared in wanted.items() if read not in bound and not (shared and read in random)}
    base_of = _Bases()
    taken = _taken_names(plan) if chosen else set()
    names: dict[QueryOperation, str] = {}
    sizes: dict[QueryOperation, int] = {}
    for operation, block in plan.blocks.items():
        sizes[operation] = 1 + sum([1 if read in chosen else sizes[read] for read, _ in reads[operation]])
        if operation in chosen:
            names[operation] = unused(_step_name(block, base_of(operation)), taken)
            taken.add(fold(names[operation]))
    size = max([sizes[operation] for operation in (*names, plan.root) if operation in sizes], default=1)
    return Steps(names, base_of, size, chain)


def unused(name: str, taken: set[str]) -> str:
    """Return a name, with the first number from 2 that makes it differ from the folded names that are taken."""
    chosen, number = name, 2
    while fold(chosen) in taken:
        chosen, number = f"{name}_{number}", number + 1
    return chosen


def distribution_of(operation: QueryOperation, plan: Plan) -> Distribute | None:
    """Return the operation that is written in the SELECT of another one, which sorts the rows that it spreads."""
    below = distribution_below(operation)
    return below if below is not None and plan.uses[below] == 1 else None


def given_in_place(operation: QueryOperation, plan: Plan) -> SelectBlock | None:
    """Return the SELECT of what a program is given, where the program stands in it."""
    # Few queries have one.
    from ir.operations.script import Script

    if not isinstance(operation, Script) or plan.uses[operation.input] > 1:
        return None
    block = plan.block(operation.input)
    if not isinstance(block, SelectBlock) or block.is_distinct or block.is_cut_or_sorted:
        return None
    return block


def _read_by(block: Block, plan: Plan) -> list[tuple[QueryOperation, bool]]:
    """Return the operations that a block reads, and whether they are relations of its FROM."""
    match block:
        case SelectBlock():
            return reads_of(block, has_subqueries=plan.has_subqueries)
        case SetBlock():
            return [(operand, False) for operand in block.operands]
    from ir.operations.no_columns import NoColumns

    operation = distribution_of(block.operation, plan) or block.operation
    # What one SELECT can say is not taken apart.
    is_from = not isinstance(operation, (Recursion, NoColumns)) and given_in_place(operation, plan) is None
    return [*[(read, is_from) for read in operation.inputs], *[(read, False) for read in operation.subqueries]]


def _bound_to_place(plan: Plan) -> set[QueryOperation]:
    """Return the operations that refer to a query around them, or to the rows of a recursive query around them."""
    outer = {operation for operation in plan.operations if operation.contents & OUTER} if plan.has_subqueries else set()
    if not any(type(operation) is RecursiveReference for operation in plan.operations):
        return outer
    recursive: dict[QueryOperation, frozenset[str]] = {}
    for operation in plan.operations:
        names = {name for read in (*operation.inputs, *operation.subqueries) for name in recursive.get(read, ())}
        if isinstance(operation, RecursiveReference):
            names.add(operation.name)
        elif isinstance(operation, Recursion):
            names.discard(operation.name)
        if names:
            recursive[operation] = frozenset(names)
    return outer | set(recursive)


def _random(plan: Plan) -> set[QueryOperation]:
    """Return the operations whose rows may be others each time."""
    found: set[QueryOperation] = set()
    if not plan.root.contents & CHANGING and not any(type(operation) is Sample for operation in plan.operations):
        return found
    for operation in plan.operations:
        own = isinstance(operation, Sample) or bool(operation.contents & CHANGING)
        if own or any(read in found for read in (*operation.inputs, *operation.subqueries)):
            found.add(operation)
    return found


def _taken_names(plan: Plan) -> set[str]:
    """Return the folded names of one part that mean something in the query already."""
    found = set()
    for operation in plan.operations:
        # Of nodes, isinstance takes several times as long where it says no.
        if type(operation) is Source:
            if operation.identifier.catalog is None:
                found.add(fold(operation.identifier.name))
        elif type(operation) is Recursion or type(operation) is RecursiveReference:
            found.add(fold(operation.name))
    return found


class _Bases:
    """What each operation is named after, found when it is asked for first: the first table that it reads."""

    def __init__(self) -> None:
        self._found: dict[QueryOperation, str] = {}

    def __call__(self, operation: QueryOperation) -> str:
        path: list[QueryOperation] = []
        base = self._found.get(operation)
        while base is None:
            path.append(operation)
            base = _own_base(operation)
            if base is None:
                operation = operation.inputs[0]
                base = self._found.get(operation)
        for passed in path:
            self._found[passed] = base
        return base


def _own_base(operation: QueryOperation) -> str | None:
    """Return what an operation itself is named after, None where that is what its first input is."""
    if isinstance(operation, Source):
        return operation.identifier.name
    if isinstance(operation, (Recursion, RecursiveReference)):
        return operation.name
    if isinstance(operation, Values):
        return "values"
    return None if operation.inputs else "query"


def _step_name(block: Block, base: str) -> str:
    """Return a name for what a block makes of the table that it is named after, by its last telling clause."""
    match block:
        case SetBlock():
            return f"{base}_{_SET_NAMES[block.kind.value]}"
        case OwnBlock():
            title = block.operation.title.lower()
            return f"{base}_{_OWN_NAMES.get(title, title)}"
    assert isinstance(block, SelectBlock)
    if block.fetch is not None or block.offset is not None:
        return f"{base}_top" if block.order else f"{base}_limited"
    if block.grouping is not None:
        keys = block.grouping.keys
        key = keys[0] if len(keys) == 1 else None
        return f"{base}_by_{key.name}" if isinstance(key, FieldReference) else f"{base}_grouped"
    if block.is_distinct:
        return f"{base}_distinct"
    if block.has_over:
        return f"{base}_windowed"
    if len(block.sources) > 1:
        return f"{base}_joined"
    if block.computes:
        return f"{base}_computed"
    if block.order:
        return f"{base}_sorted"
    return f"{base}_filtered" if block.where else f"{base}_selected"


# Where the name of an operation tells not what its rows are.
_OWN_NAMES = {
    "distribute": "distributed",
    "sortpartitions": "sorted",
    "hint": "hinted",
    "nocolumns": "rows",
    "pivot": "pivoted",
}
_OWN_NAMES |= {"unpivot": "unpivoted", "sample": "sampled"}
_SET_NAMES = {"UNION": "union", "INTERSECT": "intersection", "MINUS": "difference"}


def is_relation(operation: QueryOperation, names: dict[QueryOperation, str]) -> bool:
    """Whether an operation is one name in FROM."""
    return operation in names or (is_leaf(operation) and not isinstance(operation, Values))
