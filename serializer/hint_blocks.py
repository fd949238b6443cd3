"""Writes hints, partitioning, samples and watermarks."""

from __future__ import annotations

from ir.operations.hint import JOIN_HINTS, Hint, Sample
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.watermark import Watermark
from serializer.items import Item, Line
from serializer.names import write_plain_name
from serializer.notation import Notation
from serializer.select_block import column_lines, expression_item, input_lines, item_lines


def hint_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of a hint."""
    assert isinstance(operation, Hint)
    if operation.name in JOIN_HINTS:
        head, alias = f"{operation.name}(`hinted`)", "hinted"
    else:
        number = [] if operation.partitions is None else [str(operation.partitions)]
        parameters = ", ".join([*number, *[write_plain_name(column.name, notation) for column in operation.columns]])
        head, alias = f"{operation.name}({parameters})" if parameters else operation.name, None
    return [
        *column_lines(f"SELECT /*+ {head} */", operation.schema, depth, notation),
        *input_lines(operation.input, depth, alias=alias),
    ]


def partitions_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT that partitions rows, or sorts them within partitions."""
    assert isinstance(operation, (Distribute, SortPartitions))
    clause, keys = (
        ("DISTRIBUTE BY", operation.keys) if isinstance(operation, Distribute) else ("SORT BY", operation.order)
    )
    return [
        *column_lines("SELECT", operation.schema, depth, notation),
        *input_lines(operation.input, depth),
        *item_lines(clause, [expression_item(key, notation) for key in keys], depth),
    ]


def distribution_below(operation: QueryOperation) -> Distribute | None:
    """Return the Distribute below a SortPartitions if one SELECT of Spark can express both, else None."""
    if not isinstance(operation, SortPartitions) or not isinstance(operation.input, Distribute):
        return None
    return None if operation.subqueries or operation.input.subqueries else operation.input


def distributed_and_sorted_block(
    operation: SortPartitions, below: Distribute, depth: int, notation: Notation
) -> list[Item]:
    """Write the SELECT that partitions rows and sorts them within partitions."""
    keys = [expression_item(key, notation) for key in operation.order]
    return [*partitions_block(below, depth, notation), *item_lines("SORT BY", keys, depth)]


def sample_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of a sample."""
    assert isinstance(operation, Sample)
    seed = "" if operation.seed is None else f" REPEATABLE ({operation.seed})"
    return [
        *column_lines("SELECT", operation.schema, depth, notation),
        *input_lines(operation.input, depth),
        Line(depth, (f"TABLESAMPLE ({operation.percent:f} PERCENT){seed}",)),
    ]


def watermark_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of a watermark."""
    assert isinstance(operation, Watermark)
    column, late = expression_item(operation.column, notation), expression_item(operation.delay, notation)
    return [
        *column_lines("SELECT", operation.schema, depth, notation),
        *input_lines(operation.input, depth),
        Line(depth, ("WATERMARK ", *column, " DELAY OF ", *late)),
    ]
