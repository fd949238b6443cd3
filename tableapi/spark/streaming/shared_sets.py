"""The sink of several inserts that read one stream: each batch is read once, kept, and written to each of their sinks.

A crash may come between two sinks, and then the batch comes again. A sink recognises a batch that it has: a database by
its ledger, and files by the log of Spark's file sink, which lists the finished batches. So each row is written once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import TableException, listing
from ir.operations.operation import QueryOperation
from ir.streaming.sharing import read_batch
from tableapi.data.dataframes import dataframe_source
from tableapi.declarations.external_tables import ExternalTable
from tableapi.declarations.sinks import Insert
from tableapi.spark.batch_ledger import Batch
from tableapi.spark.errors import readable_errors
from tableapi.spark.external_writing import write_external
from tableapi.spark.files import options_for_writing
from tableapi.spark.streaming.rows_of_batches import rows_in_session, with_checks
from tableapi.spark.streaming.sinks import AT_LEAST_ONCE, EXACTLY_ONCE, SET, UPSERT, StreamSink

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from tableapi.spark.execution import SparkExecution

_APPEND: Final = "append"
_FILES: Final = ("files", "table")


def why_not_shared(sink: StreamSink) -> str | None:
    """Return why a sink needs a query of its own, as a part of a sentence; None if it can share one."""
    if sink.kind in ("database", UPSERT) or (sink.kind in _FILES and sink.directory is not None):
        return None
    return f"{sink.shown} cannot tell that it has a batch already"


def set_sink(execution: SparkExecution, source: QueryOperation, sinks: Sequence[StreamSink]) -> StreamSink:
    """Return the sink of inserts that share a stream.

    Args:
        execution: the session in which the batches are written.
        source: the stream that all of them read.
        sinks: the sinks with their inserts, none of them twice.
    """
    places = sorted(sink.place for sink in sinks)
    digest = hashlib.sha256("\n".join(places).encode()).hexdigest()[:8]
    is_exact = all(sink.guarantee == EXACTLY_ONCE for sink in sinks)
    return StreamSink(
        SET,
        f"the sinks {listing([sink.shown for sink in sinks])}",
        "; ".join(places),
        f"{sinks[0].name}-and-{len(sinks) - 1}-{digest}",
        (_APPEND,),
        EXACTLY_ONCE if is_exact else AT_LEAST_ONCE,
        "Each sink recognises a repeated batch." if is_exact else "A sink of them does not recognise a repeated batch.",
        write_batch=_writer(execution, source, [sink for sink in sinks if sink.insert is not None]),
        parts=tuple(sinks),
    )


def _writer(
    execution: SparkExecution, source: QueryOperation, sinks: Sequence[StreamSink]
) -> Callable[[Any, Batch], None]:
    """Return the function that writes a batch of a stream to all sinks."""

    def write(frame: Any, batch: Batch) -> None:
        rows = rows_in_session(frame, execution.session)
        rows.persist()
        try:
            read = dataframe_source(rows, source.schema)
            for sink in sinks:
                assert sink.insert is not None
                insert = attrs.evolve(sink.insert, query=read_batch(sink.insert.query, source, read))
                _write(with_checks(execution.dataframe(insert.rows), insert), sink, insert, batch)
        finally:
            rows.unpersist()

    return write


def _write(frame: DataFrame, sink: StreamSink, insert: Insert, batch: Batch) -> None:
    files = insert.sink.files
    if sink.write_batch is not None:
        sink.write_batch(frame, batch)
        return
    if isinstance(files, ExternalTable):
        write_external(frame, files, insert.schema, overwrite=False, not_null={}, batch=batch)
        return
    assert sink.directory is not None
    assert sink.format is not None
    keys = insert.sink.partition_keys if files is None else files.partition_keys
    options = {} if files is None else options_for_writing(files)
    with readable_errors(f"Writing to {sink.shown}"):
        _file_sink(frame, sink.directory, sink.format, keys, options).addBatch(batch.number, frame._jdf)
        if insert.sink.identifier is not None:
            # The session may remember the files that the table had before.
            frame.sparkSession.catalog.refreshTable(insert.sink.identifier.as_serializable_string())


def _file_sink(
    frame: DataFrame, directory: str, file_format: str, partition_keys: Sequence[str], options: dict[str, str]
) -> Any:
    """Return Spark's file sink, whose log skips batches that it lists."""
    session: Any = frame.sparkSession
    jvm, own = session._jvm, session._jsparkSession
    found = jvm.org.apache.spark.sql.execution.datasources.DataSource.lookupDataSource(
        file_format, own.sessionState().conf()
    ).newInstance()
    newer = jvm.java.lang.Class.forName("org.apache.spark.sql.execution.datasources.v2.FileDataSourceV2")
    if newer.isInstance(found):
        found = found.fallbackFileFormat().newInstance()
    lists = jvm.org.apache.spark.api.python.PythonUtils
    return _class_of_file_sink(jvm)(
        own, directory, found, lists.toSeq(list(partition_keys)), lists.toScalaMap(dict(options))
    )


def _class_of_file_sink(jvm: Any) -> Any:
    streaming = jvm.org.apache.spark.sql.execution.streaming
    for found in (streaming.sinks.FileStreamSink, streaming.FileStreamSink):
        if type(found).__name__ == "JavaClass":
            return found
    raise TableException("This version of Spark has no file sink for streams under a known name.")
