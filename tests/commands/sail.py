"""A server of Sail in the process of the tests, which has Delta and Iceberg tables without a JVM."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def sail_session() -> Iterator[Any]:
    """Return a session of a server of its own for the duration of a block; without Sail, the test is skipped."""
    pysail = pytest.importorskip("pysail.spark", reason="pysail, which has Delta and Iceberg tables, is not installed.")
    from pyspark.sql import SparkSession

    server = pysail.SparkConnectServer(port=0)
    server.start(background=True)
    _, port = server.listening_address
    session = SparkSession.builder.remote(f"sc://localhost:{port}").create()
    # Sail's Iceberg tables need it.
    session.conf.set("spark.sql.session.timeZone", "UTC")
    try:
        yield session
    finally:
        session.stop()
        server.stop()
