"""Sinks of streaming queries, and the guarantee of each."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import ValidationException
from ir.identifiers import quote
from ir.operations.process import KIND_COLUMN
from tableapi.declarations.external_tables import JDBC, ExternalTable
from tableapi.declarations.kafka import KafkaTable
from tableapi.declarations.nats import NatsTable
from tableapi.declarations.sinks import Insert, require_key
from tableapi.declarations.stream_sinks import CONSOLE, MEMORY, NOOP
from tableapi.spark.batch_ledger import Batch
from tableapi.spark.errors import readable_errors
from tableapi.spark.external_writing import keeps_batches
from tableapi.spark.streaming.change_order import ChangeOrder
from tableapi.spark.streaming.changes import apply_by_merge, apply_to_database
from tableapi.spark.streaming.upserts import NO_MERGING, find_merging, upsert_into
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXACTLY_ONCE: Final = "exactly once"
AT_LEAST_ONCE: Final = "at least once"
DATA_SOURCE: Final = "data source"
_OF_DATA_SOURCE: Final = (
    "A repeated batch is written again, unless the writer of the data source ignores the number of a batch that it has "
    "committed."
)
_OF_PYTHON: Final = ("append", "complete")
_NO_UPDATES: Final = "Spark gives a data source in Python no changed rows; a function of for_each_batch gets them."
_OF_KAFKA: Final = "A repeated batch is written again: Spark writes to Kafka without transactions."
_IDENTIFIED: Final = (
    "Each message has an identifier: of the query, the batch, the partition and the content of the row. The stream "
    "ignores a repeated identifier within its duplicate window"
)
_OF_NATS: Final = f"{_IDENTIFIED}; of a batch that a crash has interrupted, the messages in the stream are looked up."
_OF_NATS_BY_WINDOW: Final = f"{_IDENTIFIED}, and stores it again after that."
SET: Final = "set"
UPSERT: Final = "upsert"
_BY_KEY: Final = "The changes are applied: a row replaces the one with its key, and DELETE deletes it."
_UNSAFE: Final = re.compile(r"[^\w.\-]+")


@attrs.frozen(eq=False)
class StreamSink:
    """The sink of a streaming query.

    Attributes:
        kind: what it is: ``files``, ``table``, ``memory``, ``console``, ``noop``, ``data source``, ``database``,
            ``upsert``, ``function`` or ``set``.
        shown: the sink in messages.
        place: what tells it from other sinks, without secrets.
        name: the name that a query into it has by default.
        modes: the output modes that it accepts; the first ones are preferred.
        guarantee: ``exactly once`` or ``at least once``.
        reason: why, in a sentence.
        is_lasting: whether rows outlive the query, so that a restart must continue it.
        directory: the directory of the files that Spark's file sink writes.
        format: the format of these files, or the name of the data source.
        insert: the insert that writes a batch; None for a function.
        function: the function of each batch.
        parts: the sinks of a set.
        write_batch: the function that writes a batch to all sinks of a set, or to a table by MERGE.
        limit: why the sink accepts no other output modes, as a sentence; empty if that says itself.
        order: the order of the changes of one key in a batch; None if the rows are not changes.
    """

    kind: str
    shown: str
    place: str
    name: str
    modes: tuple[str, ...]
    guarantee: str
    reason: str
    is_lasting: bool = True
    directory: str | None = None
    format: str | None = None
    insert: Insert | None = None
    function: Callable[[Any, int], None] | None = None
    parts: tuple[StreamSink, ...] = ()
    write_batch: Callable[[Any, Batch], None] | None = None
    limit: str = ""
    order: ChangeOrder | None = None

    @property
    def writes_here(self) -> bool:
        """Whether this process writes each batch."""
        return self.kind in ("function", "database", UPSERT, SET)

    @property
    def recomputes_batches(self) -> bool:
        """Whether a repeated batch is computed again; a database that has it, and files, are asked first."""
        return self.kind == SET or (self.kind == UPSERT and self.insert is not None and self.insert.sink.files is None)

    @property
    def keeps_other_rows(self) -> bool:
        """Whether a repeated batch with other rows adds them to those of the first run, and nothing notices it."""
        return self.kind in ("function", DATA_SOURCE) or (self.kind == "database" and self.guarantee != EXACTLY_ONCE)

    def describe_repetition(self) -> str:
        """Return what a repeated batch does if its rows are others than the first time; empty if nothing is kept."""
        if self.kind in _LOOKING:
            return ""
        if self.keeps_other_rows:
            return "is computed again; nothing notices other rows than those of the first run"
        if self.recomputes_batches:
            return (
                "is computed again; a warning tells other rows of a process table function than those of the first run"
            )
        if self.directory is None and self.kind == "table":
            return "is computed again; the format of the table decides about other rows than those of the first run"
        return "is not computed again once the sink has it, so that its rows are those of the first run"

    @property
    def directories(self) -> tuple[str, ...]:
        """The directories of files that the query writes with a log of Spark's file sink."""
        return tuple([sink.directory for sink in (self, *self.parts) if sink.directory is not None])

    def describe(self) -> str:
        """Return the guarantee as a sentence."""
        return f"{self.shown}: {self.guarantee}. {self.reason}"


_BY_FILES: Final = (
    "A log in the directory lists the files of each finished batch. Readers see these files alone, and a repeated "
    "batch is recognised."
)


def sink_of(session: SparkSession, insert: Insert, find_order: Callable[[Sequence[str]], ChangeOrder]) -> StreamSink:
    """Return the sink of an insert.

    Args:
        session: the session.
        insert: the insert.
        find_order: returns the order of the changes of one key in a batch, given the columns of the key.

    Raises:
        ValidationException: the rows are changes, and the table cannot apply them.
        TableException: Spark cannot describe the table.
    """
    made = _plain_sink(session, insert)
    if not insert.has_changes:
        return made
    files, identifier = insert.sink.files, insert.sink.identifier
    if identifier is not None:
        if made.kind != UPSERT:
            raise _make_changes_error(made, made.limit or NO_MERGING.describe_limit())
        key = find_merging(session, identifier).key
        require_key(insert, key)
        order = find_order(key)
        write = apply_by_merge(session, identifier, key, order)
    else:
        assert isinstance(files, ExternalTable)
        if made.guarantee != EXACTLY_ONCE:
            raise _make_changes_error(
                made, "Replacing and deleting rows by their key is known for PostgreSQL and Derby."
            )
        order = find_order(files.primary_key)
        write = apply_to_database(session, files, order)
    return attrs.evolve(
        made,
        kind=UPSERT,
        modes=("append", "update"),
        reason=f"{_BY_KEY} {made.reason}",
        write_batch=write,
        order=order,
    )


def _make_changes_error(sink: StreamSink, reason: str) -> ValidationException:
    return ValidationException(
        f"The query has the kinds of changes in the column {KIND_COLUMN!r}, which {sink.shown} does not have, and they "
        f"cannot be applied to it. {reason} To keep the changes as rows, give the table a column {KIND_COLUMN!r}. "
        "Nothing was started."
    )


def _plain_sink(session: SparkSession, insert: Insert) -> StreamSink:
    """Return the sink of an insert of plain rows, not of changes.

    Raises:
        TableException: Spark cannot describe the table.
    """
    files, identifier = insert.sink.files, insert.sink.identifier
    if identifier is not None:
        return _table_sink(session, insert)
    assert files is not None
    if not isinstance(files, ExternalTable):
        path = str(files.path)
        return StreamSink(
            "files",
            insert.sink.name,
            f"the {files.format} files of {path}",
            _file_name("files", path),
            ("append",),
            EXACTLY_ONCE,
            _BY_FILES,
            directory=path,
            format=files.format,
            insert=insert,
        )
    if files.format in _LOOKING:
        return attrs.evolve(_LOOKING[files.format], insert=insert)
    if files.format == JDBC:
        return _database_sink(session, files, insert)
    return _sink_of_nats(session, files, insert) if isinstance(files, NatsTable) else _sink_of_source(files, insert)


def _database_sink(session: SparkSession, table: ExternalTable, insert: Insert) -> StreamSink:
    """Return the sink of a table of a database."""
    guarantee, reason = _promise_of_database(session, table)
    place = _digest_of_place(table)
    return StreamSink(
        "database",
        table.shown,
        f"{table.shown} ({place})",
        _file_name("jdbc", f"{table.options.get('dbtable', '')}-{place}"),
        ("append", "update", "complete") if table.primary_key else ("append", "complete"),
        guarantee,
        reason,
        insert=insert,
    )


def _sink_of_nats(session: SparkSession, table: NatsTable, insert: Insert) -> StreamSink:
    """Return the sink of a stream of NATS."""
    place = _digest_of_place(table)
    return StreamSink(
        DATA_SOURCE,
        table.shown,
        f"{table.shown} ({place})",
        _file_name("nats", f"{table.options['stream']}-{place}"),
        _OF_PYTHON,
        AT_LEAST_ONCE if is_connect(session) else EXACTLY_ONCE,
        _OF_NATS_BY_WINDOW if is_connect(session) else _OF_NATS,
        format=table.format,
        insert=insert,
        limit=_NO_UPDATES,
    )


def _sink_of_source(table: ExternalTable, insert: Insert) -> StreamSink:
    """Return the sink of a table that a data source writes: Kafka's, or a user's own."""
    is_kafka = isinstance(table, KafkaTable)
    place = _digest_of_place(table)
    return StreamSink(
        DATA_SOURCE,
        table.shown,
        f"{table.shown} ({place})",
        _file_name(table.format, f"{table.topics}-{place}" if isinstance(table, KafkaTable) else place),
        ("append", "update", "complete") if is_kafka else _OF_PYTHON,
        AT_LEAST_ONCE,
        _OF_KAFKA if is_kafka else _OF_DATA_SOURCE,
        format=table.format,
        insert=insert,
        limit="" if is_kafka else _NO_UPDATES,
    )


def _digest_of_place(table: ExternalTable) -> str:
    return hashlib.sha256(repr(table.place).encode()).hexdigest()[:8]


def _table_sink(session: SparkSession, insert: Insert) -> StreamSink:
    identifier = insert.sink.identifier
    assert identifier is not None
    name = identifier.as_summary_string()
    directory, provider = locate_table(session, identifier.parts) if insert.sink.in_session_catalog else (None, None)
    merging = NO_MERGING if directory is not None else find_merging(session, identifier)
    made = StreamSink(
        "table",
        name,
        f"the table {name}" + ("" if directory is None else f" in {directory}"),
        _UNSAFE.sub("_", name),
        ("append",),
        EXACTLY_ONCE if directory is not None else AT_LEAST_ONCE,
        _BY_FILES
        if directory is not None
        else "The format of the table decides: Spark gives its writer the number of each batch.",
        directory=directory,
        format=provider,
        insert=insert,
        limit=merging.describe_limit(),
    )
    if not merging.can_replace:
        return made
    return attrs.evolve(
        made,
        kind=UPSERT,
        modes=("append", "update"),
        guarantee=EXACTLY_ONCE,
        reason="Each row replaces the one with its key by MERGE, so that a repeated batch changes nothing.",
        write_batch=upsert_into(session, identifier, merging.key),
    )


def locate_table(session: SparkSession, parts: tuple[str, ...]) -> tuple[str | None, str | None]:
    """Return the directory and the format of a table of Spark's own catalog; None on Spark Connect."""
    if is_connect(session):
        return None, None
    jvm: Any = session._jvm
    own: Any = session
    with readable_errors("Reading the table"):
        path = ".".join(map(quote, parts[1:]))
        parsed = own._jsparkSession.sessionState().sqlParser().parseTableIdentifier(path)
        found = own._jsparkSession.sessionState().catalog().getTableMetadata(parsed)
        location = jvm.org.apache.hadoop.fs.Path(found.location()).toString()
        provider = found.provider()
    return str(location), str(provider.get()) if provider.isDefined() else None


def _promise_of_database(session: SparkSession, table: ExternalTable) -> tuple[str, str]:
    if keeps_batches(session, table):
        return EXACTLY_ONCE, (
            "The transaction that writes a batch also writes its number to the table tableapi_stream_batches, and a "
            "repeated batch is skipped."
        )
    return AT_LEAST_ONCE, "A repeated batch is appended again: for this database, batches are not numbered."


_LOOKING: Final = {
    MEMORY: StreamSink(
        MEMORY,
        "memory",
        "memory",
        "memory",
        ("append", "complete", "update"),
        AT_LEAST_ONCE,
        "It is for looking at rows: they are in the memory of the driver and end with it.",
        is_lasting=False,
        format=MEMORY,
    ),
    CONSOLE: StreamSink(
        CONSOLE,
        "the console",
        "the console",
        "console",
        ("append", "update", "complete"),
        AT_LEAST_ONCE,
        "It is for looking at rows: a repeated batch is printed again.",
        is_lasting=False,
        format=CONSOLE,
    ),
    NOOP: StreamSink(
        NOOP,
        "the sink noop",
        "noop",
        "noop",
        ("append", "update", "complete"),
        AT_LEAST_ONCE,
        "It keeps no rows.",
        is_lasting=False,
        format=NOOP,
    ),
}


def function_sink(function: Callable[[Any, int], None], name: str) -> StreamSink:
    """Return the sink that calls a function for each batch."""
    return StreamSink(
        "function",
        f"the function {name}",
        f"the function {name}",
        _UNSAFE.sub("_", name),
        ("append", "update", "complete"),
        AT_LEAST_ONCE,
        "A repeated batch calls the function again, with the same number. The function may skip a number that it "
        "knows.",
        is_lasting=False,
        function=function,
    )


def _file_name(kind: str, place: str) -> str:
    """Return a name for queries into a place, which is a file name, too."""
    digest = hashlib.sha256(place.encode()).hexdigest()[:8]
    last = _UNSAFE.sub("_", place.rstrip("/").rpartition("/")[2])[:60]
    return f"{kind}-{last}-{digest}"
