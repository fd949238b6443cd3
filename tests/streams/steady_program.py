"""The program that ``tests.streams.steady`` kills: it copies the messages of a stream of NATS to files.

    python steady_program.py SERVERS FOLDER TRIGGER

It prints ``running`` when the query runs, and ends with it: with the trigger ``available-now`` after the last message.
"""

from __future__ import annotations

import sys

from tableapi import StreamOptions, TableEnvironment

STREAM = "EVENTS"
_SOURCE = (
    "CREATE TEMPORARY TABLE events (id BIGINT, stored TIMESTAMP_LTZ METADATA FROM 'time' VIRTUAL) WITH ("
    "'connector' = 'nats', 'servers' = '{servers}', 'stream' = '{stream}', 'streaming' = 'true', 'format' = 'json', "
    "'scan.messages-per-trigger' = '400000', 'scan.messages-per-partition' = '25000')"
)
_SINK = (
    "CREATE TEMPORARY TABLE copies (id BIGINT, stored TIMESTAMP_LTZ) WITH ("
    "'connector' = 'filesystem', 'format' = 'parquet', 'path' = '{folder}')"
)


def main(servers: str, folder: str, trigger: str) -> None:
    """Copy messages until the query ends or the process is killed."""
    env = TableEnvironment.create()
    env.execute_sql(_SOURCE.format(servers=servers, stream=STREAM))
    env.execute_sql(_SINK.format(folder=folder))
    options = StreamOptions(trigger=trigger)
    result = env.sql_query("SELECT id, stored FROM events").execute_insert("copies", options=options)
    print("running", flush=True)
    result.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
