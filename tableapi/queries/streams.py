"""The streams of one environment: which queries are streams, starting them, and those that run."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs

from ir.determinism import nondeterministic_call
from ir.errors import TableException
from ir.identifiers import fold
from ir.nodes import post_order
from ir.operations.operation import QueryOperation
from ir.operations.process import ProcessTable
from ir.rendering import Layout
from ir.streaming import sharing
from ir.streaming.reads import list_streams
from tableapi.declarations.sinks import Insert
from tableapi.lazy import lazy
from tableapi.queries.runtime import Runtime
from tableapi.stream_options import REAL_TIME, StreamOptions, combine

if TYPE_CHECKING:
    from tableapi.spark.streaming import change_order, rows_of_batches, shared_sets, starting, unbounded_rows
    from tableapi.spark.streaming import sinks as stream_sinks
    from tableapi.spark.streaming.change_order import ChangeOrder
    from tableapi.spark.streaming.running import RunningStream, RunningStreams, StreamPlan
    from tableapi.spark.streaming.unbounded_rows import UnboundedRows
else:
    starting = lazy(__name__, "tableapi.spark.streaming.starting")
    stream_sinks = lazy(__name__, "tableapi.spark.streaming.sinks")
    change_order = lazy(__name__, "tableapi.spark.streaming.change_order")
    rows_of_batches = lazy(__name__, "tableapi.spark.streaming.rows_of_batches")
    shared_sets = lazy(__name__, "tableapi.spark.streaming.shared_sets")
    unbounded_rows = lazy(__name__, "tableapi.spark.streaming.unbounded_rows")

BatchFunction = Callable[[Any, int], None]


@attrs.define(eq=False)
class _Group:
    """Inserts of a set that are one query: their numbers and sinks, and the stream that they share.

    Without such a stream, there is one insert, and ``reason`` says why it has a query of its own.
    """

    source: QueryOperation | None
    reason: str
    members: list[tuple[int, stream_sinks.StreamSink]] = attrs.field(factory=list)


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
        sink = self._sink_of(insert)
        _warn_of_unordered_changes(insert.query)
        _warn_of_other_rows(insert.query, sink)
        return starting.plan_insert(execution, insert, sink, self._chosen(options, number), self._text_of(insert.query))

    def _sink_of(self, insert: Insert) -> stream_sinks.StreamSink:
        """Return the sink of an insert.

        Raises:
            ValidationException: the rows are changes, and the table cannot apply them.
            TableException: Spark cannot describe the table, or rejects the query.
        """
        return stream_sinks.sink_of(self._runtime.execution.session, insert, partial(self._find_order, insert))

    def _find_order(self, insert: Insert, key: Sequence[str]) -> ChangeOrder:
        """Return the order in which a batch has the changes of one key."""
        if self._runtime.execution.is_connect:
            return change_order.ChangeOrder.UNKNOWN
        stored = dict(zip(map(fold, insert.given_columns), insert.stored_fields, strict=True))
        # A constant partition key is the same for all rows.
        names = [stored[fold(name)].name for name in key if fold(name) in stored]
        if change_order.find_call_order(insert.query, names, self._runtime.known_behind):
            return change_order.ChangeOrder.BY_CALL
        frame, _ = self._runtime.execution.stream(insert.rows)
        order = change_order.ChangeOrder
        return order.BY_SOURCE if change_order.has_source_order(frame) else order.UNKNOWN

    def _chosen(self, options: StreamOptions | None, number: int | None) -> StreamOptions:
        """Return the options of a query, with the number of its insert in a set."""
        chosen = combine(options, self._runtime.config.to_map())
        if number is None:
            return chosen
        return attrs.evolve(
            chosen,
            name=None if chosen.name is None else f"{chosen.name}-{number}",
            checkpoint=None if chosen.checkpoint is None else f"{str(chosen.checkpoint).rstrip('/')}/{number}",
            restore_from=None if chosen.restore_from is None else f"{str(chosen.restore_from).rstrip('/')}/{number}",
        )

    def plan_set(self, inserts: Sequence[Insert], options: StreamOptions | None) -> list[StreamPlan]:
        """Check the inserts of a set: those that can share a stream are one query, each of the others is one.

        Raises:
            ValidationException: a sink, an output mode or a checkpoint does not fit a query.
            TableException: Spark rejects a query, or a checkpoint is incomplete. The message has the number of the
                insert.
        """
        plans: list[StreamPlan] = []
        groups = self._groups(inserts, options)
        for group in groups:
            first = group.members[0][0]
            try:
                if len(group.members) == 1:
                    number = first if len(inserts) > 1 else None
                    plans.append(self.plan(inserts[first - 1], options, number))
                else:
                    plans.append(self._plan_shared(group, options, first))
            except TableException as error:
                shown = " and ".join(str(number) for number, _ in group.members)
                error.args = (f"Statement {shown} of {len(inserts)}: {error}", *error.args[1:])
                raise
        return plans

    def _groups(self, inserts: Sequence[Insert], options: StreamOptions | None) -> list[_Group]:
        """Return the inserts with their numbers, in groups that are one query each."""
        chosen = combine(options, self._runtime.config.to_map())
        shared: dict[QueryOperation, _Group] = {}
        groups: list[_Group] = []
        sinks = [self._sink_of(insert) for insert in inserts]
        for number, (insert, sink) in enumerate(zip(inserts, sinks, strict=True), 1):
            source, reason = self._find_shared(insert, sink, chosen)
            if source is not None and [other.place for other in sinks].count(sink.place) > 1:
                source, reason = None, f"another statement of the set writes to {sink.shown}, too"
            group = None if source is None else shared.get(source)
            if group is None:
                group = _Group(source, reason)
                groups.append(group)
                if source is not None:
                    shared[source] = group
            group.members.append((number, sink))
        return groups

    def _find_shared(
        self, insert: Insert, sink: stream_sinks.StreamSink, options: StreamOptions
    ) -> tuple[QueryOperation | None, str]:
        """Return the stream that an insert can share; None with the reason if it needs a query of its own."""
        if self._runtime.execution.is_connect:
            return None, "over Spark Connect, batches stay in the server"
        if options.output_mode not in (None, "append") or str(options.trigger).startswith(REAL_TIME):
            return None, "queries are shared in output mode append, and not in real time"
        if insert.has_changes and sink.order is not change_order.ChangeOrder.BY_CALL:
            return None, "it applies changes in the order of its source"
        reason = shared_sets.why_not_shared(sink)
        if reason is not None or insert.overwrite:
            return None, reason or "it overwrites"
        found = sharing.find_shared_source(insert.query)
        return found.source, found.reason

    def _plan_shared(self, group: _Group, options: StreamOptions | None, number: int) -> StreamPlan:
        execution = self._runtime.execution
        assert group.source is not None
        texts = []
        for _, sink in group.members:
            assert sink.insert is not None
            # Spark judges each query before anything starts.
            execution.stream(sink.insert.rows)
            _warn_of_unordered_changes(sink.insert.query)
            texts.append(f"{sink.shown}:\n{self._text_of(sink.insert.query).text}")
        made = shared_sets.set_sink(execution, group.source, [sink for _, sink in group.members])
        frame, readable = execution.stream(group.source)
        text = starting.QueryText(group.source, "\n\n".join(texts), False, lambda old: None)
        return starting.plan_stream(execution, frame, readable, made, self._chosen(options, number), text)

    def explain_set(self, inserts: Sequence[Insert]) -> str:
        """Return which inserts of a set share a query, and why others do not, in words."""
        lines = []
        for group in self._groups(inserts, None):
            numbers = [str(number) for number, _ in group.members]
            if len(numbers) > 1:
                assert group.source is not None
                lines.append(
                    f"Statements {', '.join(numbers)} are one query: it {_name_shared(group.source)} once, keeps "
                    "each batch, and writes it to each sink."
                )
            else:
                reason = group.reason or "no other statement of the set reads the stream for a sink that can share it"
                lines.append(f"Statement {numbers[0]} is a query of its own: {reason}.")
        return "\n".join(lines)

    def explain(self, insert: Insert) -> str:
        """Return the sink of a stream and what it promises, in words."""
        sink = self._sink_of(insert)
        chosen = combine(None, self._runtime.config.to_map())
        lines = [
            f"sink: {sink.describe()}",
            f"output modes: {', '.join(sink.modes)}",
            f"trigger: {chosen.trigger or 'one batch after the other'}",
        ]
        if sink.describe_repetition():
            lines.append(f"a repeated batch: {sink.describe_repetition()}")
        if chosen.restore_from is not None:
            lines += self._explain_restoration(insert, sink, chosen)
        return "\n".join(lines)

    def _explain_restoration(self, insert: Insert, sink: stream_sinks.StreamSink, options: StreamOptions) -> list[str]:
        """Return lines about the parts of a checkpoint that a query would take over."""
        chosen = attrs.evolve(options, allow_state_loss=True)
        execution = self._runtime.execution
        plan = starting.plan_insert(execution, insert, sink, chosen, self._text_of(insert.query))
        if plan.restoration is None:
            return [f"restored from: nothing, since the checkpoint {plan.checkpoint} continues"]
        lines = plan.restoration.describe()
        if plan.restoration.lost_state and not options.allow_state_loss:
            lines.append("  refused: the state above would be dropped; allow it by execution.stream.allow-state-loss")
        return lines

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
            function(self._table_of(rows_of_batches.rows_in_session(frame, session)), number)

        sink = stream_sinks.function_sink(call, name)
        _warn_of_other_rows(query, sink)
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


def _name_shared(source: QueryOperation) -> str:
    """Return the clause that says how a query reads its shared source: "runs the call of f", "reads the table t"."""
    return f"runs the {source.label}" if isinstance(source, ProcessTable) else f"reads the {source.label}"


def _warn_of_unordered_changes(query: QueryOperation) -> None:
    """Warn of calls that read changes of a stream without an order; they arrive unordered over files or partitions."""
    for operation in post_order(query, list_streams):
        if not isinstance(operation, ProcessTable):
            continue
        for table, orders in enumerate(operation.order_keys):
            if operation.tables[table].is_unbounded and operation.kind_column(table) is not None and not orders:
                warnings.warn(
                    f"{operation.function.name} takes changes of a stream without ORDER BY, so that it gets those of "
                    "one batch in any order if they come from several files or partitions of a source. Order them: "
                    "partition_by(key).order_by(time), with a watermark on the time; or read one file in a batch.",
                    RuntimeWarning,
                    stacklevel=2,
                )


def _warn_of_other_rows(query: QueryOperation, sink: stream_sinks.StreamSink) -> None:
    """Warn of calls that give a repeated batch other rows, if nothing notices them when the batch is repeated."""
    if not sink.keeps_other_rows:
        return
    names = list(dict.fromkeys(_list_nondeterministic(query)))
    if names:
        warnings.warn(
            f"After a crash, {sink.shown} gets the last batch again, and {' and '.join(names)} may give it other rows "
            "for the same input, because of which the sink has rows of both runs. Nothing notices it. Use a seed or a "
            "value of the row instead; or insert into files, a table of Spark's catalog or PostgreSQL, which keep the "
            "rows of one run.",
            RuntimeWarning,
            stacklevel=2,
        )


def _list_nondeterministic(query: QueryOperation) -> Iterator[str]:
    """Yield the names of the nondeterministic functions that a query over a stream calls."""
    for operation in query.walk_with_subqueries():
        if isinstance(operation, ProcessTable) and not operation.function.is_deterministic:
            yield operation.function.sql_name
        for expression in operation.expressions:
            call = nondeterministic_call(expression)
            if call is not None:
                yield call.function.sql_name
