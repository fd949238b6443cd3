"""Chooses and names the blocks that the MERGED layout defines in WITH."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ir import light_attrs as attrs
from ir.identifiers import fold
from ir.normalization.blocks import Block, SelectBlock, SetBlock, SingleOperationBlock, find_reads
from ir.normalization.plan import Plan, is_leaf
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute
from ir.operations.project import Project
from ir.operations.recursion import Recursion
from ir.operations.sort import Sort
from ir.operations.source import Values
from ir.relation_names import NO_NAMES, RelationNames
from serializer.hint_blocks import distribution_below
from serializer.step_names import (
    Bases,
    UnusedNames,
    find_queries_outside_with,
    find_taken_names,
    lambda_parameters,
    name_by_title,
    name_cut_rows,
    name_groups,
    name_set,
    unshareable_queries,
)

# Spark resolves queries of WITH that read each other one after another, in at most 100 rounds, some of them in two.
_LONGEST_CHAIN = 30


@attrs.frozen(eq=False)
class Steps:
    """The queries of WITH by name, the number of blocks in the text, and the length of the longest chain of reads.

    ``base_of`` returns the table name on which an operation's name is based.
    """

    names: dict[QueryOperation, str]
    base_of: Callable[[QueryOperation], str]
    size: int
    chain: int


def steps_of(plan: Plan, given: RelationNames = NO_NAMES) -> Steps:
    """Choose the blocks of WITH: those with several readers, and those that long chains of reads need.

    A step has its ``given`` name, or is named after what it reads and does.

    A block stays in place if it depends on an outer query or a recursive query. So does a nondeterministic block with
    several readers, because WITH would give all readers the same rows.
    """
    if len(plan.blocks) <= 1:
        # No block reads another one.
        return Steps({}, Bases(), 1, len(plan.blocks))
    heights: dict[QueryOperation, int] = {}
    reads: dict[QueryOperation, list[tuple[QueryOperation, bool]]] = {}
    for operation, block in plan.blocks.items():
        reads[operation] = [
            (read, in_from or (isinstance(block, SetBlock) and not isinstance(plan.blocks[read], SelectBlock)))
            for read, in_from in _list_reads(block, plan)
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
        bound = find_queries_outside_with(plan.operations, has_subqueries=plan.has_subqueries)
        unshareable = unshareable_queries(plan.operations) if any(wanted.values()) else set()
        chosen = {read for read, shared in wanted.items() if read not in bound and not (shared and read in unshareable)}
    base_of = Bases()
    unused = UnusedNames(find_taken_names(plan.operations) if chosen else set())
    # Given names are taken first, so that they stay unchanged.
    called: dict[QueryOperation, str] = {}
    if given.steps:
        hidden = lambda_parameters(plan.operations)
        for operation, name in _find_given_names(plan, chosen, given):
            if fold(name) not in hidden:
                called[operation] = unused.take(name)
    names: dict[QueryOperation, str] = {}
    sizes: dict[QueryOperation, int] = {}
    for operation, block in plan.blocks.items():
        sizes[operation] = 1 + sum([1 if read in chosen else sizes[read] for read, _ in reads[operation]])
        if operation in chosen:
            names[operation] = called.get(operation) or unused.take(_step_name(block, base_of(operation)))
    size = max([sizes[operation] for operation in (*names, plan.root) if operation in sizes], default=1)
    return Steps(names, base_of, size, chain)


def _find_given_names(
    plan: Plan, chosen: set[QueryOperation], given: RelationNames
) -> Iterator[tuple[QueryOperation, str]]:
    """Yield the given names of steps: that of the whole step, or that of the query below its last clauses."""
    for operation in plan.blocks:
        if operation not in chosen:
            continue
        below = operation
        name = given.steps.get(below)
        while name is None and isinstance(below, (Filter, Sort, Project)) and below.input not in plan.blocks:
            below = below.input
            name = None if is_leaf(below) else given.steps.get(below)
        if name is not None:
            yield operation, name


def distribution_of(operation: QueryOperation, plan: Plan) -> Distribute | None:
    """Return the Distribute that is written in the SELECT of the sort above it, else None."""
    below = distribution_below(operation)
    return below if below is not None and plan.uses[below] == 1 else None


def find_script_input(operation: QueryOperation, plan: Plan) -> SelectBlock | None:
    """Return the SELECT that computes a script's input, if one SELECT can express both, else None."""
    # Only few queries have a script, so that the import is local.
    from ir.operations.script import Script

    if not isinstance(operation, Script) or plan.uses[operation.input] > 1:
        return None
    block = plan.block(operation.input)
    if not isinstance(block, SelectBlock) or block.is_distinct or block.is_cut_or_sorted:
        return None
    return block


def _list_reads(block: Block, plan: Plan) -> list[tuple[QueryOperation, bool]]:
    """Return the operations that a block reads, and whether each is a relation of its FROM."""
    match block:
        case SelectBlock():
            return find_reads(block, has_subqueries=plan.has_subqueries)
        case SetBlock():
            return [(operand, False) for operand in block.operands]
    from ir.operations.no_columns import NoColumns

    operation = distribution_of(block.operation, plan) or block.operation
    # A block that must be one SELECT is not split.
    is_from = not isinstance(operation, (Recursion, NoColumns)) and find_script_input(operation, plan) is None
    return [*[(read, is_from) for read in operation.inputs], *[(read, False) for read in operation.subqueries]]


def _step_name(block: Block, base: str) -> str:
    """Return a name for the output of a block, based on the name of its table and its most telling clause."""
    match block:
        case SetBlock():
            return name_set(base, block.kind)
        case SingleOperationBlock():
            return name_by_title(base, block.operation)
    assert isinstance(block, SelectBlock)
    if block.fetch is not None or block.offset is not None:
        return name_cut_rows(base, is_sorted=bool(block.order))
    if block.grouping is not None:
        return name_groups(base, block.grouping.keys)
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


def is_relation(operation: QueryOperation, names: dict[QueryOperation, str]) -> bool:
    """Whether an operation is written as a single name in FROM."""
    return operation in names or (is_leaf(operation) and not isinstance(operation, Values))
