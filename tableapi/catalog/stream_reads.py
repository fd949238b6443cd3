"""Tables that a query reads as streams: ``STREAM t``."""

from __future__ import annotations

import attrs

from ir.errors import TableException
from ir.operations.source import Source, StreamRead


def read_as_stream(found: Source, stream: StreamRead, path: str, *, is_table: bool) -> Source:
    """Return the operation that reads a relation as a stream.

    Args:
        found: the operation that reads the relation without STREAM.
        stream: how the query reads it.
        path: the name in the query.
        is_table: whether it is a table, and no view.

    Raises:
        TableException: the relation is a view whose rows end, or a view over a stream with a name for the source. Spark
            refuses both, and the name of a permanent view over a stream after STREAM, which is read here as the name
            alone.
    """
    declared = found.stream
    if declared is None:
        if found.identifier.is_temporary:
            raise TableException(
                f"{path} is a temporary view or table, and its rows end. A temporary table is a stream if it is "
                "declared so, by 'streaming' = 'true' or in streaming mode; a view is one if its query reads a stream."
            )
        if not is_table:
            raise TableException(
                f"{path} is a view, and its rows end. STREAM reads tables: write it before the table in the query of "
                "the view, and the view is a stream itself."
            )
        return found.evolve(stream=stream)
    if stream.name is None:
        return found
    if not is_table:
        raise TableException(
            f"{path} is a view over a stream. IDENTIFIED BY names the source that a checkpoint remembers, which is "
            "below the view: write it there."
        )
    return found.evolve(stream=attrs.evolve(declared, name=stream.name))
