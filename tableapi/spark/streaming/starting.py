"""Check a streaming query against its sink and checkpoint, and start it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import TableException, ValidationException
from ir.operations.operation import QueryOperation
from tableapi.declarations.external_tables import ExternalTable
from tableapi.declarations.kafka import KafkaTable
from tableapi.declarations.nats import NatsTable
from tableapi.declarations.sinks import Insert
from tableapi.declarations.stream_sinks import MEMORY
from tableapi.lazy import lazy
from tableapi.spark.active_session import active
from tableapi.spark.batch_ledger import Batch
from tableapi.spark.external_tables import connection_options
from tableapi.spark.external_writing import sink_input, write_external
from tableapi.spark.files import options_for_writing
from tableapi.spark.packages import require_packages
from tableapi.spark.streaming.checkpoints import (
    Checkpoint,
    DescribeChanges,
    Record,
    claim_directory,
    default_path,
    local_path,
)
from tableapi.spark.streaming.output_modes import choose_output_mode
from tableapi.spark.streaming.repeated_batches import notice_other_rows
from tableapi.spark.streaming.restoring import (
    Restoration,
    carry_positions,
    initial_states,
    plan_restoration,
    run_first_batch,
    write_first_batch,
)
from tableapi.spark.streaming.rows_of_batches import with_checks
from tableapi.spark.streaming.running import RunningStream, StreamPlan
from tableapi.spark.streaming.shape import Shape, shape_of
from tableapi.spark.streaming.sinks import DATA_SOURCE, StreamSink
from tableapi.spark.streaming.state_partitions import keeping_partitions, require_unmoved_state
from tableapi.spark.streaming.state_reading import StatesOfCheckpoint
from tableapi.spark.versions import client_version, is_connect
from tableapi.stream_options import AVAILABLE_NOW, REAL_TIME, StreamOptions

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql import dataframe as dataframes
    from pyspark.sql.streaming.query import StreamingQuery
    from pyspark.sql.streaming.readwriter import DataStreamWriter

    from tableapi.spark import nats_access, shipped_sources
    from tableapi.spark.execution import SparkExecution
else:
    nats_access = lazy(__name__, "tableapi.spark.nats_access")
    dataframes = lazy(__name__, "pyspark.sql.dataframe")
    shipped_sources = lazy(__name__, "tableapi.spark.shipped_sources")

_ONE_AFTER_THE_OTHER: Final = "0 seconds"


@attrs.frozen(eq=False)
class QueryText:
    """A query, and the facts about it for the record of its checkpoint.

    Attributes:
        operation: the query.
        text: its text.
        is_sql: whether the text is SQL, and no tree.
        describe_changes: returns what changed since an older text.
        rows: the query whose rows the sink gets, if that is another one.
    """

    operation: QueryOperation
    text: str
    is_sql: bool
    describe_changes: DescribeChanges
    rows: QueryOperation | None = None


def plan_insert(
    execution: SparkExecution, insert: Insert, sink: StreamSink, options: StreamOptions, query: QueryText
) -> StreamPlan:
    """Check an insert of a stream.

    Raises:
        ValidationException: the sink, the output mode or the checkpoint does not fit the query.
        TableException: Spark rejects the query, or the checkpoint is incomplete.
    """
    if insert.overwrite:
        raise ValidationException(
            f"A stream has no end, so that it cannot overwrite {insert.sink.name}. Append its rows; or let each batch "
            "replace the rows, with the output mode 'complete' and a sink that accepts it. Nothing was started."
        )
    files = insert.sink.files
    if isinstance(files, (KafkaTable, NatsTable)):
        require_packages(execution.session, files, to_write=True)
    if isinstance(files, NatsTable):
        nats_access.require_stream_to_write(execution.session, files, connection_options(files))
    frame, readable = execution.stream(insert.rows)
    frame = with_checks(frame, insert)
    return plan_stream(execution, frame, readable, sink, options, attrs.evolve(query, rows=insert.rows))


def plan_stream(
    execution: SparkExecution,
    frame: DataFrame,
    readable: Callable[[], AbstractContextManager[None]],
    sink: StreamSink,
    options: StreamOptions,
    query: QueryText,
) -> StreamPlan:
    """Check a streaming query against its sink and checkpoint, without touching the checkpoint.

    Raises:
        ValidationException: the sink, the output mode or the checkpoint does not fit the query.
        TableException: the checkpoint is incomplete.
    """
    session = execution.session
    if sink.writes_here and is_connect(session):
        raise TableException(
            f"A stream cannot write to {sink.shown} over Spark Connect, where batches stay in the server. Write to a "
            "table of the server, or use a classic session. Nothing was started."
        )
    if sink.kind == MEMORY and options.name is None:
        raise ValidationException(
            "The sink memory needs the name of the query, under which its rows are a temporary view: "
            "StreamOptions(name='…'), or SET 'execution.stream.name' = '…'. Nothing was started."
        )
    mode = _choose_mode(frame, query.operation, sink, options)
    name = options.name or sink.name
    path = _choose_checkpoint(session, sink, options, mode)
    guard = restoration = None
    local = None if path is None or is_connect(session) else local_path(path)
    if options.restore_from is not None and local is None:
        raise ValidationException(
            "restore_from needs a checkpoint of the new query in the file system of this machine, with a classic "
            "session: StreamOptions(checkpoint='…', restore_from='…'). Nothing was started."
        )
    if local is not None:
        shape = _columns_of_parts(shape_of(frame, execution.stateful_calls), sink)
        if any(local_path(directory) in _list_files(shape) for directory in sink.directories):
            raise ValidationException(
                f"The query reads the files of {sink.shown}, to which it writes: each batch would be read again, "
                "without end. Write to another table. Nothing was started."
            )
        if sink.write_batch is not None and sink.recomputes_batches and any(part.call for part in shape.state):
            sink = attrs.evolve(sink, write_batch=notice_other_rows(session, sink.write_batch, local, name))
        record = Record(name, sink.place, mode, shape, query.text, query.is_sql)
        guard = Checkpoint(local, restores=options.restore_from is not None)
        _check(guard, record, sink, query.describe_changes)
        require_unmoved_state(local, " Nothing was started.")
        restoration = _plan_restoration(guard, record, options)
    trigger = None if options.trigger is None else str(options.trigger)

    # Spark has one running query of a name; those into the console are several.
    shown = name if sink.is_lasting else options.name

    def begin(running: RunningStream) -> StreamingQuery:
        return _begin(frame, sink, mode, trigger, shown, path, running)

    plan = StreamPlan(name, sink, mode, trigger, path, session, execution.parameters(), begin, readable, guard)
    if guard is None:
        return plan

    def restore() -> None:
        if restoration is not None and guard.is_new:
            guard.begin_restoration()
            _restore(execution, guard.path, restoration, query.rows or query.operation, mode)

    claim = partial(_claim, guard, record, sink, query.describe_changes, restore)
    return attrs.evolve(plan, claim=claim, restoration=restoration)


def _plan_restoration(guard: Checkpoint, record: Record, options: StreamOptions) -> Restoration | None:
    """Return the parts of another checkpoint that a query with a new checkpoint takes over."""
    if options.restore_from is None or not guard.is_new:
        return None
    states = StatesOfCheckpoint(options.restore_from)
    return plan_restoration(states, record, allow_state_loss=bool(options.allow_state_loss))


def _restore(
    execution: SparkExecution, checkpoint: Path, restoration: Restoration, rows: QueryOperation, mode: str
) -> None:
    """Take over state, offsets and watermark into a new checkpoint.

    Raises:
        TableException: the query of the other checkpoint runs, or Spark cannot restore the state.
    """
    session = execution.session
    source = Checkpoint(restoration.states.path)
    source.lock()
    try:
        frame, readable = execution.stream(rows, initial_states(session, restoration))
        write_first_batch(checkpoint, restoration, session)
        with readable(), active(session):
            run_first_batch(frame, checkpoint, mode)
        carry_positions(checkpoint, restoration)
    finally:
        source.unlock()


def _columns_of_parts(shape: Shape, sink: StreamSink) -> Shape:
    """Return a shape with the columns that the sinks of a set get, in place of those of the stream that they share."""
    if not sink.parts:
        return shape
    columns = [
        (f"{part.name}.{column.name}", column.data_type.as_summary_string())
        for part in sink.parts
        if part.insert is not None
        for column in part.insert.schema.columns
    ]
    return attrs.evolve(shape, columns=tuple(columns))


def _check(guard: Checkpoint, record: Record, sink: StreamSink, describe: DescribeChanges) -> Record:
    """Check a checkpoint with each directory that the sink writes to, and return the record to write."""
    checked = [guard.check(record, directory, describe) for directory in sink.directories or (None,)]
    return checked[-1]


def _list_files(shape: Shape) -> list[Path | None]:
    """Return the directories whose files a query reads."""
    return [local_path(source.path) for source in shape.sources if source.path is not None]


def _claim(
    guard: Checkpoint, record: Record, sink: StreamSink, describe: DescribeChanges, restore: Callable[[], None]
) -> None:
    """Lock a checkpoint, check it again, restore the state of another one, and write the record."""
    guard.lock()
    try:
        checked = _check(guard, record, sink, describe)
        for directory in sink.directories:
            claim_directory(directory, record.sink, guard.path)
        restore()
        guard.clear_first_batch()
        guard.write(checked)
        guard.end_restoration()
    except BaseException:
        guard.unlock()
        raise


def start(plan: StreamPlan) -> RunningStream:
    """Start a checked query.

    Raises:
        TableException: Spark rejects the query, or another query uses its checkpoint.
    """
    plan.claim()
    try:
        return RunningStream(plan)
    except BaseException:
        if plan.guard is not None:
            plan.guard.unlock()
        raise


def _choose_mode(frame: DataFrame, query: QueryOperation, sink: StreamSink, options: StreamOptions) -> str:
    given = options.output_mode
    if given is None and str(options.trigger).startswith(REAL_TIME) and "update" in sink.modes:
        # Spark runs queries in real time in this mode alone.
        given = "update"
    return choose_output_mode(frame, query, sink, given)


def _choose_checkpoint(session: SparkSession, sink: StreamSink, options: StreamOptions, mode: str) -> str | None:
    """Return the checkpoint directory; None for a temporary one.

    Raises:
        ValidationException: the sink cannot continue with a checkpoint, or a Connect session needs one.
    """
    if sink.kind == MEMORY:
        if options.checkpoint is not None and mode != "complete":
            raise ValidationException(
                "The sink memory forgets its rows when the query ends, so that a checkpoint cannot continue it. Leave "
                "the checkpoint out. Nothing was started."
            )
        if options.checkpoint is None:
            return None
    if options.checkpoint is not None:
        given = str(options.checkpoint)
        local = None if is_connect(session) or given.startswith("file:") else local_path(given)
        # Spark would read a relative path from the directory in which its process began.
        return given if local is None else str(local)
    if not sink.is_lasting and (options.name is None or sink.kind != "function"):
        return None
    if is_connect(session):
        raise ValidationException(
            f"A query into {sink.shown} needs a checkpoint in the file system of the Spark Connect server: "
            "StreamOptions(checkpoint='…'). Nothing was started."
        )
    return str(default_path(options.name or sink.name))


# --- starting in Spark ------------------------------------------------------------------------------------------------


def _begin(
    frame: DataFrame,
    sink: StreamSink,
    mode: str,
    trigger: str | None,
    name: str | None,
    checkpoint: str | None,
    running: RunningStream,
) -> StreamingQuery:
    options: dict[str, str] = {}
    if sink.kind == DATA_SOURCE:
        assert sink.insert is not None
        assert isinstance(sink.insert.sink.files, ExternalTable)
        frame, options = sink_input(frame, sink.insert.sink.files)
    writer = _apply_trigger(frame.writeStream.outputMode(mode), trigger)
    if name is not None:
        writer = writer.queryName(name)
    if checkpoint is not None:
        writer = writer.option("checkpointLocation", checkpoint)
    with active(frame.sparkSession), keeping_partitions(frame.sparkSession, checkpoint):
        if sink.function is not None:
            return writer.foreachBatch(_guarded(sink.function, running)).start()
        if sink.write_batch is not None:
            return writer.foreachBatch(_guarded(_numbered(sink.write_batch, running), running)).start()
        assert sink.insert is not None
        files = sink.insert.sink.files
        if sink.kind == "table":
            assert sink.insert.sink.identifier is not None
            if sink.format is not None:
                writer = writer.format(sink.format)
            if sink.insert.sink.partition_keys and sink.directory is not None:
                writer = writer.partitionBy(*sink.insert.sink.partition_keys)
            return writer.toTable(sink.insert.sink.identifier.as_serializable_string())
        assert files is not None
        if sink.kind == "files":
            writer = writer.format(files.format).options(**options_for_writing(files))
            if files.partition_keys:
                writer = writer.partitionBy(*files.partition_keys)
            return writer.start(str(files.path))
        assert isinstance(files, ExternalTable)
        if sink.kind == "database" or not _writes_streams(files):
            write = _writer_of_batches(files, sink.insert, mode, running)
            return writer.foreachBatch(_guarded(write, running)).start()
        if isinstance(files, NatsTable):
            nats_access.register_source(frame.sparkSession)
            if not is_connect(frame.sparkSession):
                options |= nats_access.describe_repeat(checkpoint)
        if files.source_class is not None:
            shipped_sources.register(frame.sparkSession, files.source_class)
        if sink.kind != DATA_SOURCE:
            options = connection_options(files)
        return writer.format(files.format).options(**options).start()


def _apply_trigger(writer: DataStreamWriter, trigger: str | None) -> DataStreamWriter:
    if trigger is None:
        return writer.trigger(processingTime=_ONE_AFTER_THE_OTHER)
    if trigger == AVAILABLE_NOW:
        return writer.trigger(availableNow=True)
    if not trigger.startswith(REAL_TIME):
        return writer.trigger(processingTime=trigger)
    if "realTime" not in inspect.signature(writer.trigger).parameters:
        raise TableException(
            f"The trigger 'real-time' needs Spark 4.2; the module pyspark of this process is of {client_version()}. "
            "Choose an interval, such as '1 second'. Nothing was started."
        )
    newer: Any = writer
    made: DataStreamWriter = newer.trigger(realTime=trigger.removeprefix(REAL_TIME).strip() or "5 minutes")
    return made


def _writes_streams(table: ExternalTable) -> bool:
    """Whether a data source writes streams itself: Spark's own, and classes that define a writer for streams."""
    if table.source_class is None:
        return True
    return any(
        name in vars(base)
        for base in table.source_class.__mro__
        if not base.__module__.startswith("pyspark.")
        for name in ("streamWriter", "streamArrowWriter")
    )


def _writer_of_batches(
    table: ExternalTable, insert: Insert, mode: str, running: RunningStream
) -> Callable[[Any, int], None]:
    """Return the function that writes a batch to a table of another system."""

    def write(frame: Any, number: int) -> None:
        batch = Batch(running.id, number)
        write_external(frame, table, insert.schema, overwrite=mode == "complete", not_null={}, batch=batch)

    return write


def _numbered(write: Callable[[Any, Batch], None], running: RunningStream) -> Callable[[Any, int], None]:
    """Return a function that writes a batch under the identifier of a query."""
    return lambda frame, number: write(frame, Batch(running.id, number))


def _guarded(function: Callable[[Any, int], None], running: RunningStream) -> Callable[[Any, int], None]:
    """Return a function that remembers its exception, of which Spark keeps the text alone."""

    def call(frame: Any, number: int) -> None:
        try:
            function(frame, number)
        except BaseException as error:
            running.note_failure(error, number)
            raise

    return call
