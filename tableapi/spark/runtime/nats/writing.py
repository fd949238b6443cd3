"""Publish rows as messages, each with an identifier by which a stream recognises a repeat."""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceStreamWriter, DataSourceWriter, WriterCommitMessage

from tableapi.spark.runtime.failures import SourceFailed
from tableapi.spark.runtime.nats.client import Client, add_consumer
from tableapi.spark.runtime.nats.settings import Settings

DATA = "data"
SUBJECT = "subject"
HEADERS = "headers"
MESSAGE_ID = "Nats-Msg-Id"
# The names under which Spark tells a task the number of its batch and the query.
_BATCH = "streaming.sql.batchId"
_QUERY = "sql.streaming.queryId"
# Messages that wait for their acknowledgement, and seconds for it.
_AT_ONCE = 256
_ANSWER = 5.0
_SILENCE = 5.0
# The clocks of Spark and of the server may differ by this, in milliseconds.
CLOCKS = 300_000


@dataclass
class Published(WriterCommitMessage):
    """The numbers of messages that a task has published.

    Attributes:
        messages: the number of messages.
        repeated: how many of them the stream had already.
    """

    messages: int
    repeated: int


@dataclass(frozen=True)
class Outgoing:
    """A message to be published."""

    subject: str
    data: bytes
    headers: dict[str, str]


class Identifiers:
    """Makes an identifier for each message of a task, the same ones whenever Spark repeats the task.

    Spark may repeat a partition with its rows in another order. So a row is known by its content, and equal rows of a
    partition by a number.

    >>> made = Identifiers("q/7/0")
    >>> first = Outgoing("a", b"1", {})
    >>> made.next(first) == made.next(first), made.next(first).startswith("q/7/0/")
    (False, True)
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self._seen: Counter[str] = Counter()

    def next(self, message: Outgoing) -> str:
        """Return the identifier of a message; a header of the message may say it."""
        given = message.headers.get(MESSAGE_ID)
        if given is not None:
            return given
        digest = hashlib.blake2b(digest_size=12)
        for part in (message.subject, *(text for pair in sorted(message.headers.items()) for text in pair)):
            digest.update(len(part).to_bytes(4, "big") + part.encode())
        digest.update(message.data)
        content = digest.hexdigest()
        self._seen[content] += 1
        return f"{self.prefix}/{content}/{self._seen[content]}"


def publish_rows(
    settings: Settings, rows: Iterable[Any], query: str, batch: str, partition: int, since: int | None = None
) -> Published:
    """Publish the rows of a task, and wait until the stream has stored all of them.

    Args:
        settings: the options of the table.
        rows: the rows, with the columns ``data``, and possibly ``subject`` and ``headers``.
        query: the query.
        batch: the batch of the query.
        partition: the partition of the batch.
        since: a time before an earlier attempt of the task, in milliseconds since 1970; None if this is the first.

    Raises:
        SourceFailed: a row has no subject, no server can be reached, or it refuses a message.
    """
    identifiers = Identifiers(f"{query}/{batch}/{partition}")
    total = repeated = 0
    with Client(settings) as client:
        known: frozenset[str] = frozenset()
        if settings.repeated_batch is not None and batch == str(settings.repeated_batch):
            since = settings.repeated_since
        if since is not None:
            known = find_published(client, identifiers.prefix, since)
        waiting = iter(rows)
        while messages := [_message_of(row, settings) for row in islice(waiting, _AT_ONCE)]:
            named = [(identifiers.next(message), message) for message in messages]
            lacking = [(name, message) for name, message in named if name not in known]
            chunk = _Chunk(settings, lacking)
            client.call(chunk.publish)
            total += len(named)
            repeated += len(named) - len(lacking) + chunk.repeated
    return Published(total, repeated)


class _Chunk:
    """Messages that are published together. Those without an answer are published again."""

    def __init__(self, settings: Settings, messages: Sequence[tuple[str, Outgoing]]) -> None:
        self._settings = settings
        self._waiting = list(messages)
        self.repeated = 0

    async def publish(self, context: Any) -> None:
        """Publish the messages that no server has acknowledged yet."""
        # The client's publish_async never ends for a message that the server refuses.
        answers = await asyncio.gather(
            *[self._send(context, name, message) for name, message in self._waiting], return_exceptions=True
        )
        failures = [answer for answer in answers if isinstance(answer, BaseException)]
        self.repeated += sum(bool(answer.duplicate) for answer in answers if not isinstance(answer, BaseException))
        self._waiting = [
            pair for pair, answer in zip(self._waiting, answers, strict=True) if isinstance(answer, BaseException)
        ]
        if failures:
            raise failures[0]

    async def _send(self, context: Any, name: str, message: Outgoing) -> Any:
        headers = {**message.headers, MESSAGE_ID: name}
        return await context.publish(
            message.subject, message.data, timeout=_ANSWER, stream=self._settings.stream, headers=headers
        )


def _message_of(row: Any, settings: Settings) -> Outgoing:
    fields = row.asDict() if hasattr(row, "asDict") else row
    subject = fields.get(SUBJECT) or settings.subject
    if not subject or "*" in subject or ">" in subject:
        raise SourceFailed(
            f"A row for NATS has the subject {subject!r}; it needs one without wildcards, in a column METADATA FROM "
            "'subject' or in the option 'subject' of the table."
        )
    data = fields.get(DATA)
    return Outgoing(subject, b"" if data is None else bytes(data), dict(fields.get(HEADERS) or {}))


def find_published(client: Client, prefix: str, since: int) -> frozenset[str]:
    """Return the identifiers of the messages that an earlier attempt of a task has published.

    The stream itself knows them within its duplicate window alone.

    Args:
        client: the connection.
        prefix: the beginning of the identifiers of the task.
        since: a time before the earlier attempt, in milliseconds since 1970.
    """
    settings = client.settings
    found: set[str] = set()

    async def search(context: Any) -> None:
        from nats.js import api

        moment = dt.datetime.fromtimestamp(since / 1000, dt.timezone.utc)
        made = await add_consumer(context, settings.stream, api.DeliverPolicy.BY_START_TIME, moment, headers_only=True)
        subscription = await context.pull_subscribe_bind(consumer=made.name, stream=settings.stream)
        left = made.num_pending
        while left:
            for message in await subscription.fetch(min(500, left), timeout=_SILENCE):
                name = (message.headers or {}).get(MESSAGE_ID, "")
                if name.startswith(f"{prefix}/"):
                    found.add(name)
                left -= 1

    client.call(search)
    return frozenset(found)


def _now() -> int:
    """Return a time that has passed by every clock, in milliseconds since 1970."""
    return round(time.time() * 1000) - CLOCKS


def _task() -> TaskContext:
    task = TaskContext.get()
    assert task is not None
    return task


class BatchWriter(DataSourceWriter):
    """Publishes the rows of a query that ends."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # The writer is made once, and sent to all tasks.
        self._query = str(uuid.uuid4())
        self._since = _now()

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        """Publish the rows of a partition."""
        task = _task()
        since = self._since if task.attemptNumber() else None
        return publish_rows(self._settings, iterator, self._query, "0", task.partitionId(), since)


class StreamWriter(DataSourceStreamWriter):
    """Publishes the rows of each batch of a streaming query."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # Made before the first batch, and so before each attempt of a task.
        self._since = _now()

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        """Publish the rows of a partition of a batch."""
        task = _task()
        query, batch = task.getLocalProperty(_QUERY), task.getLocalProperty(_BATCH)
        if query is None or batch is None:
            raise SourceFailed(
                "Spark does not tell the task which batch it writes, so that repeats were not recognised."
            )
        since = self._since if task.attemptNumber() else None
        return publish_rows(self._settings, iterator, query, batch, task.partitionId(), since)
