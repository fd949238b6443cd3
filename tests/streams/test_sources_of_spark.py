"""Sources that only a stream can read: rows that Spark makes, and lines of a socket."""

from __future__ import annotations

import socket
import threading

from tableapi import TableDescriptor, TableEnvironment
from tableapi.expressions import col


def test_rows_of_each_batch(env: TableEnvironment) -> None:
    made = TableDescriptor.for_connector("rate-micro-batch").option("rows-per-batch", "3").build()
    numbers = env.from_descriptor(made).select(col("value"), (col("value") * 2).alias("twice"))
    # A batch has its rows in any order.
    found = numbers.execute().collect(limit=6)
    assert sorted(tuple(row) for row in found) == [(n, 2 * n) for n in range(6)]
    assert env.streams() == []


def test_lines_of_a_socket(env: TableEnvironment) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)

        def send() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"first line\nsecond line\n")
                ended.wait(60)

        ended = threading.Event()
        sending = threading.Thread(target=send)
        sending.start()
        port = str(server.getsockname()[1])
        made = TableDescriptor.for_connector("socket").option("host", "127.0.0.1").option("port", port).build()
        rows = env.from_descriptor(made).execute().collect(limit=2)
        assert sorted(tuple(row) for row in rows) == [("first line",), ("second line",)]
        ended.set()
        sending.join(60)
    assert env.streams() == []
