"""The streams of one environment: which queries are streams, starting them, and those that run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from ir.errors import TableException
from ir.operations.operation import QueryOperation
from ir.rendering import Layout
from tableapi.declarations.sinks import Insert
from tableapi.lazy import lazy
from tableapi.queries.runtime import Runtime
from tableapi.stream_options import StreamOptions, combine

if TYPE_CHECKING:
    from tableapi.spark.streaming import sinks as stream_sinks
    from tableapi.spark.streaming import starting, unbounded_rows
    from tableapi.spark.streaming.running import RunningStream, RunningStreams, StreamPlan
    from tableapi.spark.streaming.unbounded_rows import UnboundedRows
else:
    starting = lazy(__name__, "tableapi.spark.streaming.starting")
    stream_sinks = lazy(__name__, "tableapi.spark.streaming.sinks")
    unbounded_rows = lazy(__name__, "tableapi.spark.streaming.unbounded_rows")

BatchFunction = Callable[[Any, int], None]


class Streams:
    """Starts the queries of one environment that read streams.

    Args:
        runtime: the state of the environment.
        describe_changes: returns what changed between a query, given as SQL, and a query; None if the SQL cannot be
            read any more.
        table_of: returns the table of a DataFrame.
    """

    def __init__(
        self,
        runtime: Runtime,
        describe_changes: Callable[[str, QueryOperation], str | None],
        table_of: Callable[[Any], Any],
    ) -> None:
        self._runtime = runtime
        self._describe_changes = describe_changes
        self._table_of = table_of

    @property
    def running(self) -> RunningStreams:
        """The streams that run."""
        return self._runtime.streams

    # --- inserts -----------------------------------------------------------------------------------------------------

    def plan(self, insert: Insert, options: StreamOptions | None, number: int | None = None) -> StreamPlan:
        """Check an insert of a stream, without touching anything.

        Args:
            insert: the insert.
            options: how the query runs.
            number: the number of the insert in a set, which its name and checkpoint get.

        Raises:
            ValidationException: the sink, the output mode or the checkpoint does not fit the query.
            TableException: Spark rejects the query, or the checkpoint is incomplete.
        """
        execution = self._runtime.execution
        sink = stream_sinks.sink_of(execution.session, insert)
        chosen = combine(options, self._runtime.config.to_map())
        if number is not None:
            chosen = attrs.evolve(
                chosen,
                name=None if chosen.name is None else f"{chosen.name}-{number}",
                checkpoint=None if chosen.checkpoint is None else f"{str(chosen.checkpoint).rstrip('/')}/{number}",
            )
        return starting.plan_insert(execution, insert, sink, chosen, self._text_of(insert.query))

    def explain(self, insert: Insert) -> str:
        """Return the sink of a stream and what it promises, in words."""
        sink = stream_sinks.sink_of(self._runtime.execution.session, insert)
        chosen = combine(None, self._runtime.config.to_map())
        lines = [
            f"sink: {sink.describe()}",
            f"output modes: {', '.join(sink.modes)}",
            f"trigger: {chosen.trigger or 'one batch after the other'}",
        ]
        return "\n".join(lines)

    def start(self, plans: Sequence[StreamPlan]) -> list[RunningStream]:
        """Start checked streams: all of them, or none.

        Raises:
            TableException: Spark rejects a query, or another query uses its checkpoint.
        """
        started: list[RunningStream] = []
        try:
            for plan in plans:
                running = starting.start(plan)
                started.append(running)
                self.running.add(running)
        except BaseException:
            for running in started:
                running.stop()
            raise
        return started

    # --- functions and rows ------------------------------------------------------------------------------------------

    def start_function(
        self, query: QueryOperation, function: BatchFunction, name: str, options: StreamOptions | None
    ) -> RunningStream:
        """Start a query that calls a function with the table of each batch, and the number of the batch.

        Raises:
            ValidationException: the output mode or the checkpoint does not fit the query.
            TableException: Spark rejects the query.
        """
        session = self._runtime.execution.session

        def call(frame: Any, number: int) -> None:
            function(self._table_of(starting.rows_in_session(frame, session)), number)

        sink = stream_sinks.function_sink(call, name)
        return self._start_query(query, sink, combine(options, self._runtime.config.to_map()))[0]

    def rows(self, query: QueryOperation) -> UnboundedRows:
        """Start a query whose rows are read as they come.

        Raises:
            TableException: Spark rejects the query.
        """
        execution = self._runtime.execution
        if execution.is_connect:
            raise TableException(
                "The rows of a stream cannot be fetched over Spark Connect, where batches stay in the server. Insert "
                "them into a table, or into the connector 'memory'."
            )
        buffer = unbounded_rows.Buffer()
        sink = stream_sinks.function_sink(buffer.fill, "collect")
        given = combine(None, self._runtime.config.to_map())
        # Rows that were fetched are gone after a restart, so that there is nothing to continue.
        chosen = StreamOptions(trigger=given.trigger, output_mode=given.output_mode)
        running, frame = self._start_query(query, sink, chosen)
        return unbounded_rows.UnboundedRows(running, buffer, frame.schema)

    def _start_query(
        self, query: QueryOperation, sink: stream_sinks.StreamSink, options: StreamOptions
    ) -> tuple[RunningStream, Any]:
        execution = self._runtime.execution
        frame, readable = execution.stream(query)
        plan = starting.plan_stream(execution, frame, readable, sink, options, self._text_of(query))
        return self.start([plan])[0], frame

    def _text_of(self, query: QueryOperation) -> starting.QueryText:
        """Return the text of a query for the record of its checkpoint: SQL, or the tree if it has none."""
        try:
            text, is_sql = query.as_serializable_string(layout=Layout.NESTED), True
        except TableException:
            text, is_sql = query.as_summary_string(), False
        return starting.QueryText(query, text, is_sql, lambda old: self._describe_changes(old, query))
