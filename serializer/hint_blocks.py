"""Writes hints, partitioning, samples and watermarks, which only Spark supports."""

from __future__ import annotations

from ir.errors import TableException
from ir.operations.hint import JOIN_HINTS, Hint, Sample
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.watermark import Watermark
from ir.rendering import Dialect
from serializer.literals import literal_text
from serializer.names import name_text, plain_name_text
from serializer.select_block import Item, Line, column_lines, expression_item, input_lines, item_lines


def hint_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT of a hint.

    Raises:
        TableException: the dialect is FLINK.
    """
    assert isinstance(operation, Hint)
    if dialect is Dialect.FLINK:
        raise TableException(
            f"The hint {operation.name} has no text in Flink's SQL: it is advice to Spark. Leave it out, or "
            "serialise the query with the dialect SPARK."
        )
    if operation.name in JOIN_HINTS:
        head, alias = f"{operation.name}(`hinted`)", "hinted"
    else:
        number = [] if operation.partitions is None else [str(operation.partitions)]
        parameters = ", ".join([*number, *[plain_name_text(column.name, dialect) for column in operation.columns]])
        head, alias = f"{operation.name}({parameters})" if parameters else operation.name, None
    return [
        *column_lines(f"SELECT /*+ {head} */", operation.schema, depth, dialect),
        *input_lines(operation.input, depth, alias=alias),
    ]


def partitions_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT that partitions rows, or sorts them within partitions.

    Raises:
        TableException: the dialect is FLINK.
    """
    assert isinstance(operation, (Distribute, SortPartitions))
    clause, keys = (
        ("DISTRIBUTE BY", operation.keys) if isinstance(operation, Distribute) else ("SORT BY", operation.order)
    )
    if dialect is Dialect.FLINK:
        raise TableException(
            f"{clause} has no text in Flink's SQL: partitions are how Spark spreads rows. Leave it out, or serialise "
            "the query with the dialect SPARK."
        )
    return [
        *column_lines("SELECT", operation.schema, depth, dialect),
        *input_lines(operation.input, depth),
        *item_lines(clause, [expression_item(key, dialect) for key in keys], depth),
    ]


def distribution_below(operation: QueryOperation) -> Distribute | None:
    """Return the Distribute below a SortPartitions if one SELECT of Spark can express both, else None."""
    if not isinstance(operation, SortPartitions) or not isinstance(operation.input, Distribute):
        return None
    return None if operation.subqueries or operation.input.subqueries else operation.input


def distributed_and_sorted_block(operation: SortPartitions, below: Distribute, depth: int) -> list[Item]:
    """Write the SELECT that partitions rows and sorts them within partitions."""
    dialect = Dialect.SPARK
    keys = [expression_item(key, dialect) for key in operation.order]
    return [*partitions_block(below, depth, dialect), *item_lines("SORT BY", keys, depth)]


def sample_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT of a sample.

    Raises:
        TableException: the dialect is FLINK.
    """
    assert isinstance(operation, Sample)
    if dialect is Dialect.FLINK:
        raise TableException(
            "A sample has no text in Flink's SQL, which parses TABLESAMPLE and cannot run it. Serialise the query with "
            "the dialect SPARK."
        )
    seed = "" if operation.seed is None else f" REPEATABLE ({operation.seed})"
    return [
        *column_lines("SELECT", operation.schema, depth, dialect),
        *input_lines(operation.input, depth),
        Line(depth, (f"TABLESAMPLE ({operation.percent:f} PERCENT){seed}",)),
    ]


def watermark_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT of a watermark.

    Raises:
        TableException: the dialect is FLINK.
    """
    assert isinstance(operation, Watermark)
    if dialect is Dialect.FLINK:
        name, delay = name_text(operation.column.name, dialect), literal_text(operation.delay, dialect)
        raise TableException(
            f"The watermark of {name} has no text in a query of Flink's SQL. Declare it in CREATE TABLE, WATERMARK FOR "
            f"{name} AS {name} - {delay}, or serialise the query with the dialect SPARK."
        )
    column, late = expression_item(operation.column, dialect), expression_item(operation.delay, dialect)
    return [
        *column_lines("SELECT", operation.schema, depth, dialect),
        *input_lines(operation.input, depth),
        Line(depth, ("WATERMARK ", *column, " DELAY OF ", *late)),
    ]
