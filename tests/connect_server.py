"""A Spark Connect server in the JVM of a classic session of this process.

``python -m tests.connect_server DIRECTORY`` prints the address of one, and ends with its standard input.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tableapi import TableEnvironment

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def served(spark: SparkSession) -> Iterator[str]:
    """Start a Connect server beside a session, and yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    classic: Any = spark
    # The sessions of the server are made from the active session of the threads that it starts, which is that of the
    # thread that starts it. Another session may have become active there, such as one with a catalog in memory.
    classic._jvm.org.apache.spark.sql.classic.SparkSession.setActiveSession(classic._jsparkSession)
    service = classic._jvm.org.apache.spark.sql.connect.service.SparkConnectService
    spark.sparkContext._conf.set("spark.connect.grpc.binding.port", str(port))
    classic._jsc.sc().conf().set("spark.connect.grpc.binding.port", str(port))
    service.start(classic._jsc.sc())
    try:
        yield f"sc://127.0.0.1:{port}"
    finally:
        service.stop(classic._jvm.scala.Option.empty(), classic._jvm.scala.Option.empty())


@contextmanager
def serve(folder: Path) -> Iterator[tuple[TableEnvironment, str]]:
    """Start an embedded Spark over a folder with a Connect server; yield an environment on it, and the address."""
    from tableapi.spark.session import stop_embedded_session

    te = TableEnvironment.create(warehouse=folder)
    with served(te.spark) as address:
        yield te, address
    stop_embedded_session()


if __name__ == "__main__":
    with serve(Path(sys.argv[1])) as (_, started):
        print(started, flush=True)
        sys.stdin.read()
