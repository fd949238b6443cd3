"""The databases of tests of streams, each with the same tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from tableapi import TableEnvironment

SCHEMA = "s_streams"


@attrs.frozen
class Database:
    """A database with the tables ``totals`` (k, n), whose key is ``k``, and ``log`` (id)."""

    options: dict[str, str]
    run: Callable[..., Any]

    def declare(self, env: TableEnvironment, table: str, columns: str) -> None:
        given = {**self.options, "table-name": f"{SCHEMA}.{table}"}
        text = ", ".join(f"'{key}' = '{value}'" for key, value in given.items())
        env.execute_sql(f"CREATE TEMPORARY TABLE {table} ({columns}) WITH ('connector' = 'jdbc', {text})")


CREATE = (
    f"CREATE SCHEMA {SCHEMA}",
    f"CREATE TABLE {SCHEMA}.totals (k VARCHAR(10) PRIMARY KEY, n BIGINT)",
    f"CREATE TABLE {SCHEMA}.log (id BIGINT)",
)
LEDGER = "tableapi_stream_batches"
