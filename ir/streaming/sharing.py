"""Queries over one stream that several sinks can share: those whose result for a batch depends on its rows alone.

A call of a process table function is a stream, too: what follows it is computed from its rows, and the call runs once.
"""

from __future__ import annotations

import attrs

from ir.nodes import post_order
from ir.operations.filter import Filter
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.source import InlineSource, Source
from ir.operations.watermark import Watermark
from ir.rewriting import transform_operations
from ir.streaming.reads import list_streams

_BY_ROW = (Filter, Project, Watermark, LateralJoin)


@attrs.frozen
class SharedSource:
    """The only stream that a query reads, if the query can be run over each batch of it; else the reason.

    Attributes:
        source: the stream, or the call whose rows are one; None if the query cannot share it.
        reason: why it cannot, as a part of a sentence; empty if it can.
    """

    source: QueryOperation | None
    reason: str = ""


def find_shared_source(query: QueryOperation) -> SharedSource:
    """Return the stream that a query can share with other queries: that of a table, or that of a call.

    Each operation over the stream must compute its rows from one row of the stream, and from tables.
    """
    sources: list[QueryOperation] = []
    for operation in post_order(query, _list_shared_streams):
        if isinstance(operation, (Source, InlineSource, ProcessTable)):
            sources.append(operation)
        elif not _is_by_row(operation):
            return SharedSource(None, f"its {operation.label} needs more than the rows of one batch")
    if len(sources) != 1:
        return SharedSource(None, "it reads several streams")
    return SharedSource(sources[0])


def _list_shared_streams(operation: QueryOperation) -> list[QueryOperation]:
    """Return the streams that an operation reads; a call is shared as a whole."""
    return [] if isinstance(operation, ProcessTable) else list_streams(operation)


def _is_by_row(operation: QueryOperation) -> bool:
    if any(query.is_unbounded for query in operation.subqueries):
        return False
    if isinstance(operation, Join):
        is_left = operation.left.is_unbounded
        kept = JoinType.LEFT_OUTER if is_left else JoinType.RIGHT_OUTER
        return is_left != operation.right.is_unbounded and operation.join_type in (JoinType.INNER, kept)
    return isinstance(operation, _BY_ROW)


def read_batch(query: QueryOperation, source: QueryOperation, batch: QueryOperation) -> QueryOperation:
    """Return a query over the rows of a batch in place of the stream that it shares."""
    return transform_operations(query, lambda operation: batch if operation is source else operation)
