"""Read a range of the messages of a stream, and plan such ranges for the batches of a query."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)

from tableapi.spark.runtime.failures import SourceFailed
from tableapi.spark.runtime.nats.client import Client, add_consumer
from tableapi.spark.runtime.nats.settings import AT_SEQUENCE, AT_TIMESTAMP, EARLIEST, LATEST, Settings

COLUMNS = pa.schema(
    [
        ("data", pa.binary()),
        ("subject", pa.string()),
        ("sequence", pa.int64()),
        ("time", pa.timestamp("us", "UTC")),
        ("headers", pa.map_(pa.string(), pa.string())),
    ]
)
"""The columns of a message. The time is when the stream stored it."""
SEQUENCE = "sequence"
CREATED = "created"
EARLIEST_YET = "earliest"
# Messages of a request, and seconds to wait for the next one.
_AT_ONCE = 500
_SILENCE = 5.0


class Range(InputPartition):
    """The messages of a stream from one sequence number up to another, which is not in the range.

    Args:
        start: the first sequence number.
        end: the sequence number after the last one.
        needs_all: whether it is a loss if messages of the range are deleted before they are read.
    """

    def __init__(self, start: int, end: int, needs_all: bool = True) -> None:
        self.start = start
        self.end = end
        self.needs_all = needs_all


def split_range(start: int, end: int, size: int, needs_all: bool = True) -> list[Range]:
    """Cut a range of sequence numbers into ranges of a size, the last of which may be smaller.

    >>> split_range(1, 6, 3)
    [Range(start=1, end=4, needs_all=True), Range(start=4, end=6, needs_all=True)]
    """
    return [Range(first, min(first + size, end), needs_all) for first in range(start, end, size)]


def read_messages(settings: Settings, part: Range) -> Iterator[pa.RecordBatch]:
    """Yield the messages of a range whose subjects the table reads, in order.

    Raises:
        SourceFailed: no server can be reached, or messages of the range were deleted before they were read.
    """
    with Client(settings) as client:
        reader = _RangeReader(settings, part)
        while reader.next < part.end:
            found = client.call(reader.fetch)
            if found:
                values = zip(*found, strict=True)
                arrays = [pa.array(column, field.type) for column, field in zip(values, COLUMNS, strict=True)]
                yield pa.RecordBatch.from_arrays(arrays, schema=COLUMNS)


class _RangeReader:
    """Reads a range by a consumer, and by a new one after each interruption.

    Attributes:
        next: the first sequence number that was not read yet.
    """

    def __init__(self, settings: Settings, part: Range) -> None:
        self._settings = settings
        self._part = part
        self._checks_loss = settings.fails_on_data_loss and part.needs_all
        self.next = part.start
        self._gap: int | None = None
        self._context: Any = None
        self._subscription: Any = None
        self._received = 0
        self._pending = 0

    async def fetch(self, context: Any) -> list[tuple[Any, ...]]:
        """Return the next messages as tuples, and move on after the last one; nothing if the range has no more.

        Raises:
            SourceFailed: a message was deleted before it was read.
        """
        found: list[tuple[Any, ...]] = []
        self._gap = None
        if self._context is not context:
            await self._begin(context)
        for message in await self._receive():
            # $JS.ACK.stream.consumer.deliveries.sequence.number.time.pending, or with domain and account before stream.
            facts = message.reply.split(".")
            facts = facts if len(facts) == 9 else facts[2:]
            sequence, number, time, self._pending = (int(fact) for fact in facts[5:9])
            if number != self._received + 1:
                # The connection lost a message on the way. Ask again for what follows the last one.
                self._context = None
                break
            self._received = number
            if sequence >= self._part.end:
                self._move_to(self._part.end)
                break
            self._move_to(sequence)
            self.next += 1
            found.append((message.data, message.subject, sequence, time // 1000, list((message.headers or {}).items())))
        else:
            if not self._pending:
                self._move_to(self._part.end)
        if self._gap is not None and self._checks_loss:
            await self._require_no_loss(context, self._gap)
        return found

    async def _require_no_loss(self, context: Any, gap: int) -> None:
        """Check that the stream still has its messages from a gap on, so that the gap was none of its limits."""
        stream = self._settings.stream
        first = first_of((await context.stream_info(stream)).state)
        if first > gap:
            raise SourceFailed(describe_loss(stream, gap, min(first, self._part.end)))

    def _move_to(self, sequence: int) -> None:
        if sequence > self.next and self._gap is None:
            self._gap = self.next
        self.next = sequence

    async def _begin(self, context: Any) -> None:
        from nats.js import api

        made = await add_consumer(
            context,
            self._settings.stream,
            api.DeliverPolicy.BY_START_SEQUENCE,
            self.next,
            self._settings.subject,
        )
        self._subscription = await context.pull_subscribe_bind(consumer=made.name, stream=self._settings.stream)
        self._received, self._pending = 0, made.num_pending
        self._context = context

    async def _receive(self) -> Sequence[Any]:
        """Return the messages that the server has; none if the consumer has sent all of them."""
        if not self._pending:
            return []
        wanted = min(_AT_ONCE, self._part.end - self.next, self._pending)
        received: Sequence[Any] = await self._subscription.fetch(wanted, timeout=_SILENCE)
        return received


def describe_loss(stream: str, start: int, end: int) -> str:
    """Return the sentence about messages that were deleted before they were read.

    Args:
        stream: the stream.
        start: the first of the sequence numbers.
        end: the sequence number after the last of them.
    """
    which = f"message {start}" if end == start + 1 else f"messages {start} to {end - 1}"
    was = "was" if end == start + 1 else "were"
    return (
        f"The {which} of the stream {stream} of NATS {was} deleted before the query read them: by the limits of the "
        "stream (max_age, max_msgs, max_bytes, max_msgs_per_subject), or by hand. Let the stream keep messages longer, "
        "and read them sooner. To go on without them, say 'scan.fail-on-data-loss' = 'false'."
    )


class BoundedReader(DataSourceReader):
    """Reads the messages that a stream has when the query is planned."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def partitions(self) -> list[Range]:
        """Cut the messages into ranges, one for each task."""
        with Client(self._settings) as client:
            state = client.stream_info().state
            start = first_sequence(client, state)
        end = int(state.last_seq) + 1
        # What a stream deletes meanwhile is no loss for a query that asked for what there is.
        needs_all = self._settings.start != EARLIEST
        # Without a range, Spark would plan no task.
        return split_range(start, end, self._settings.per_partition, needs_all) or [Range(end, end)]

    def read(self, partition: Range) -> Iterator[pa.RecordBatch]:  # type: ignore[override]  # the partitions are ranges
        """Yield the messages of a range."""
        return read_messages(self._settings, partition)


def first_of(state: Any) -> int:
    """Return the sequence number of the first message of a stream; a server says 0 if there never was one."""
    return max(int(state.first_seq), 1)


def first_sequence(client: Client, state: Any) -> int:
    """Return the sequence number at which a new query begins.

    Args:
        client: the connection.
        state: what the server says of the messages of the stream.

    Raises:
        SourceFailed: the message at which to begin was deleted.
    """
    settings = client.settings
    if settings.start == LATEST:
        return int(state.last_seq) + 1
    if settings.start == AT_TIMESTAMP:
        return client.first_sequence_since(settings.start_millis)
    if settings.start == AT_SEQUENCE:
        if settings.start_sequence >= first_of(state):
            return settings.start_sequence
        if settings.fails_on_data_loss:
            raise SourceFailed(describe_loss(settings.stream, settings.start_sequence, int(state.first_seq)))
    return first_of(state)


class StreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads the messages of a stream as they come. An offset is the sequence number of the next message."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client: Client | None = None
        self._last: int | None = None

    def _connect(self) -> Client:
        if self._client is None:
            self._client = Client(self._settings)
        return self._client

    def initialOffset(self) -> dict[str, Any]:
        """Return the offset at which a new query begins."""
        client = self._connect()
        found = client.stream_info()
        offset = {SEQUENCE: first_sequence(client, found.state), CREATED: _identify(found)}
        return {**offset, EARLIEST_YET: True} if self._settings.start == EARLIEST else offset

    def prepareForTriggerAvailableNow(self) -> None:
        """Read no message after the last one that the stream has now."""
        self._last = int(self._connect().stream_info().state.last_seq)

    def getDefaultReadLimit(self) -> ReadLimit:
        """Return the limit that the option of the table says."""
        if self._settings.per_trigger is None:
            return ReadAllAvailable()
        return ReadMaxRows(self._settings.per_trigger)

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        """Return the offset at which the next batch ends.

        Raises:
            SourceFailed: messages were deleted before they were read, or the stream was replaced by another one.
        """
        found = self._connect().stream_info()
        first, end = first_of(found.state), int(found.state.last_seq) + 1
        begin = start[SEQUENCE]
        is_other = start.get(CREATED) != _identify(found)
        if is_other and self._settings.fails_on_data_loss:
            raise SourceFailed(
                f"The stream {self._settings.stream} of NATS was created anew at {_identify(found)}, after the query "
                f"had read the one of {start.get(CREATED)} up to the message {begin - 1}. Start a new query: with a "
                "name or a checkpoint of its own. To go on with the new stream, say 'scan.fail-on-data-loss' = 'false'."
            )
        if is_other:
            begin = first
        elif begin < first and self._settings.fails_on_data_loss and EARLIEST_YET not in start:
            raise SourceFailed(describe_loss(self._settings.stream, begin, first))
        if self._last is not None and not is_other:
            end = min(end, self._last + 1)
        if isinstance(limit, ReadMaxRows):
            end = min(end, max(begin, first) + limit.max_rows)
        if end <= begin:
            # Spark compares offsets, and begins no batch if nothing has changed.
            return start
        return {SEQUENCE: end, CREATED: _identify(found)}

    def reportLatestOffset(self) -> dict[str, Any]:
        """Return the offset after the last message of the stream, for the progress of the query."""
        found = self._connect().stream_info()
        return {SEQUENCE: int(found.state.last_seq) + 1, CREATED: _identify(found)}

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[Range]:
        """Cut the messages of a batch into ranges, one for each task."""
        first = start[SEQUENCE]
        if start.get(CREATED) != end.get(CREATED):
            # The messages of another stream are gone, and the option says to go on.
            first = 1
        return split_range(first, end[SEQUENCE], self._settings.per_partition, EARLIEST_YET not in start)

    def read(self, partition: Range) -> Iterator[pa.RecordBatch]:  # type: ignore[override]  # the partitions are ranges
        """Yield the messages of a range."""
        return read_messages(self._settings, partition)

    def stop(self) -> None:
        """Close the connection."""
        if self._client is not None:
            self._client.close()


def _identify(info: Any) -> str:
    """Return the identity of a stream, its time of creation, which a later stream of the same name does not share."""
    return info.created.isoformat() if isinstance(info.created, dt.datetime) else str(info.created)
