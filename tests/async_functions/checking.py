"""Check the rows of queries, and how often they call the service."""

from __future__ import annotations

from typing import Any

from tableapi import Table, TableEnvironment
from tests.async_functions.service import Service

# A query, its rows, and the number of calls of each function.
Case = tuple[str, list[tuple[Any, ...]], dict[str, int]]


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in table.execute().collect()), key=repr)


def check(env: TableEnvironment, service: Service, case: Case) -> None:
    text, rows, counts = case
    query = env.sql_query(text)
    assert rows_of(query) == sorted(rows, key=repr)
    assert service.counts() == counts
    # Reading the query's own text gives the same query, without any part of the async plan.
    assert "__async" not in query.as_serializable_string()
    assert env.sql_query(query.as_serializable_string()).query_operation is query.query_operation
