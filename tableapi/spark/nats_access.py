"""Register the data source of NATS with a session, and ask a server about a stream before a query starts."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ir.errors import TableException
from tableapi.declarations.file_options import capitalize
from tableapi.declarations.nats import NatsTable
from tableapi.lazy import lazy
from tableapi.spark import shipped_sources
from tableapi.spark.runtime.failures import SourceFailed
from tableapi.spark.runtime.nats import client, settings
from tableapi.spark.streaming.checkpoints import local_path
from tableapi.spark.versions import has_limits_of_batches, is_connect, server_version

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tableapi.spark.runtime.nats import source
else:
    # PySpark has what its modules import since 4.2.
    source = lazy(__name__, "tableapi.spark.runtime.nats.source")

PACKAGE: Final = "nats"
# The clocks of Spark and of the server may differ by this, in milliseconds.
_CLOCKS: Final = 300_000


def register_source(session: SparkSession) -> None:
    """Register the data source with a session, with its code, since workers lack this library.

    Raises:
        TableException: Spark does not accept it.
    """
    made = source.NatsSource
    modules = (client, settings, *source.MODULES, sys.modules[made.__module__])
    shipped_sources.register(session, made, modules)


def require_stream(session: SparkSession, table: NatsTable, options: Mapping[str, str]) -> None:
    """Check that the stream of a table exists, and that its messages stay when they are read.

    Behind Spark Connect, the server of Spark asks when the query runs.

    Args:
        session: the session.
        table: the table.
        options: its options with the secrets.

    Raises:
        TableException: no server can be reached, it does not accept the user, or the stream cannot be read.
        ModuleNotFoundError: the package of the client is missing.
    """
    _require_version(session, table)
    if is_connect(session):
        return
    with _client(options) as asking:
        asking.stream_info(once=True)


def require_stream_to_write(session: SparkSession, table: NatsTable, options: Mapping[str, str]) -> None:
    """Check that the stream of a table exists, and that it stores the subject of the table.

    Args:
        session: the session.
        table: the table.
        options: its options with the secrets.

    Raises:
        TableException: no server can be reached, it does not accept the user, or another stream has the subject.
        ModuleNotFoundError: the package of the client is missing.
    """
    _require_version(session, table)
    if is_connect(session):
        return
    with _client(options) as asking:
        stream, subject = asking.settings.stream, asking.settings.subject
        known = asking.call(lambda context: context.stream_info(stream), once=True)
        window, timeout = float(known.config.duplicate_window or 0), asking.settings.timeout
        if window <= timeout:
            raise TableException(
                f"{capitalize(table.shown)} recognises a repeated message for {window:g} seconds (its duplicate "
                f"window), and a message is sent again for {timeout:g} seconds ('connection.timeout'), so that some "
                "could be stored twice. Lengthen the window (nats stream edit --dupe-window), or shorten the time. "
                "Nothing was started."
            )
        if not subject or any(part in ("*", ">") for part in subject.split(".")):
            return
        found = asking.stream_of(subject, once=True)
        if found is None or found.config.name != stream:
            who = "no stream stores it" if found is None else f"the stream {found.config.name} stores it"
            raise TableException(
                f"{capitalize(table.shown)} does not store the subject {subject!r}: {who}. Add the subject to the "
                "stream, or choose another one in the option 'subject'. Nothing was started."
            )


def _require_version(session: SparkSession, table: NatsTable) -> None:
    if not has_limits_of_batches(session):
        raise TableException(
            f"{capitalize(table.shown)} needs Spark 4.2, whose data sources in Python can limit a batch, and this is "
            f"Spark {server_version(session)}. Nothing was started."
        )


@contextmanager
def _client(options: Mapping[str, str]) -> Iterator[client.Client]:
    if find_spec(PACKAGE) is None:
        raise ModuleNotFoundError(f"No module named {PACKAGE!r}", name=PACKAGE)
    try:
        with client.Client(settings.read_settings(options)) as made:
            yield made
    except SourceFailed as error:
        raise TableException(f"{error.sentence} Nothing was started.") from None


def describe_repeat(checkpoint: str | None) -> dict[str, str]:
    """Return the options by which the sink looks for what an unfinished batch has published; none if there is none.

    Spark writes the offsets of a batch before it begins, and its commit after it has ended. The stream itself ignores
    repeats within its duplicate window alone.

    Args:
        checkpoint: the checkpoint directory of the query; None for a temporary one.
    """
    directory = None if checkpoint is None else local_path(checkpoint)
    if directory is None:
        return {}
    begun, ended = (_last_batch(directory / log) for log in ("offsets", "commits"))
    if begun is None or (ended is not None and ended >= begun):
        return {}
    since = (directory / "offsets" / str(begun)).stat().st_mtime * 1000 - _CLOCKS
    return {settings.REPEATED_BATCH: str(begun), settings.REPEATED_SINCE: str(round(max(since, 0)))}


def _last_batch(log: Path) -> int | None:
    names = [int(path.name) for path in log.iterdir() if path.name.isdecimal()] if log.is_dir() else []
    return max(names, default=None)
