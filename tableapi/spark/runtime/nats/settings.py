"""The options of a NATS table, parsed for the data source. ``tableapi.declarations`` checks them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

NAME = "tableapi_nats"
"""The name of the data source in Spark, which no other data source has."""
SERVERS = "servers"
STREAM = "stream"
SUBJECT = "subject"
USERNAME = "username"
PASSWORD = "password"
TOKEN = "token"
TIMEOUT = "connection.timeout"
STARTUP_MODE = "scan.startup.mode"
STARTUP_SEQUENCE = "scan.startup.sequence"
STARTUP_TIMESTAMP = "scan.startup.timestamp-millis"
MESSAGES_PER_TRIGGER = "scan.messages-per-trigger"
MESSAGES_PER_PARTITION = "scan.messages-per-partition"
FAIL_ON_DATA_LOSS = "scan.fail-on-data-loss"
# Set by the library and not by users: where to look for what an unfinished batch has published.
REPEATED_BATCH = "tableapi.repeated-batch"
REPEATED_SINCE = "tableapi.repeated-since-millis"

EARLIEST = "earliest-offset"
LATEST = "latest-offset"
AT_TIMESTAMP = "timestamp"
AT_SEQUENCE = "specific-sequence"

DEFAULT_TIMEOUT = 30.0
DEFAULT_PARTITION = 10_000


@dataclass(frozen=True)
class Settings:
    """The options of a table.

    Attributes:
        servers: the URLs of the servers.
        stream: the stream to read, or the one that stores what is written.
        subject: the subjects to read, possibly with wildcards, or the subject to write to; empty if there is none.
        username: the user, or empty.
        password: the password of the user.
        token: the token in place of a user, or empty.
        timeout: how long to wait for a server that is down, in seconds.
        start: ``earliest-offset``, ``latest-offset``, ``timestamp`` or ``specific-sequence``.
        start_sequence: the first sequence number to read, for ``specific-sequence``.
        start_millis: the time of the first message to read in milliseconds since 1970, for ``timestamp``.
        per_trigger: the most messages of the stream in a batch; None if there is no limit.
        per_partition: the messages of the stream that one task reads.
        fails_on_data_loss: whether a query fails if messages were deleted before it has read them.
        repeated_batch: the number of the batch that an earlier run began and did not finish; None if there is none.
        repeated_since: a time before that batch began, in milliseconds since 1970.
    """

    servers: tuple[str, ...]
    stream: str
    subject: str = ""
    username: str = ""
    password: str = ""
    token: str = ""
    timeout: float = DEFAULT_TIMEOUT
    start: str = EARLIEST
    start_sequence: int = 1
    start_millis: int = 0
    per_trigger: int | None = None
    per_partition: int = DEFAULT_PARTITION
    fails_on_data_loss: bool = True
    repeated_batch: int | None = None
    repeated_since: int = 0

    @property
    def shown_servers(self) -> str:
        """The servers in messages, without passwords."""
        return ", ".join(_without_user(server) for server in self.servers)


def read_settings(options: Mapping[str, str]) -> Settings:
    """Return the settings that checked options describe.

    >>> made = read_settings({"servers": "nats://a:4222, nats://b:4222", "stream": "ORDERS"})
    >>> made.servers, made.stream, made.start
    (('nats://a:4222', 'nats://b:4222'), 'ORDERS', 'earliest-offset')
    """

    def number(key: str) -> int | None:
        return int(options[key]) if key in options else None

    repeated = number(REPEATED_BATCH)
    return Settings(
        servers=tuple([part.strip() for part in options[SERVERS].split(",")]),
        stream=options[STREAM],
        subject=options.get(SUBJECT, ""),
        username=options.get(USERNAME, ""),
        password=options.get(PASSWORD, ""),
        token=options.get(TOKEN, ""),
        timeout=float(options.get(TIMEOUT, DEFAULT_TIMEOUT)),
        start=options.get(STARTUP_MODE, EARLIEST),
        start_sequence=number(STARTUP_SEQUENCE) or 1,
        start_millis=number(STARTUP_TIMESTAMP) or 0,
        per_trigger=number(MESSAGES_PER_TRIGGER),
        per_partition=number(MESSAGES_PER_PARTITION) or DEFAULT_PARTITION,
        fails_on_data_loss=options.get(FAIL_ON_DATA_LOSS, "true") == "true",
        repeated_batch=repeated,
        repeated_since=number(REPEATED_SINCE) or 0,
    )


def _without_user(server: str) -> str:
    """Return the URL of a server without the user and password in it."""
    scheme, separator, rest = server.rpartition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2]}"
