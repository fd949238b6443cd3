"""An environment with declared tables, and queries that read their versions, changes and metadata."""

from __future__ import annotations

import functools
from pathlib import Path

from tableapi import TableEnvironment


@functools.cache
def environment() -> TableEnvironment:
    """Return an environment with declared tables, which starts no Spark."""
    te = TableEnvironment.create()
    te.declare("sales.orders", {"id": "INT NOT NULL", "ts": "TIMESTAMP_LTZ", "city": "STRING"})
    return te


@functools.cache
def queries() -> list[str]:
    """Return the queries of ``reads.sql``."""
    texts = Path(__file__).with_name("reads.sql").read_text("utf-8").split(";")
    return [text.strip() for text in texts if text.strip()]
