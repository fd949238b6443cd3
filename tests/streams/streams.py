"""An environment without Spark that has the tables and streams of the queries."""

from __future__ import annotations

import functools
from unittest import mock

from ir.operations.operation import QueryOperation
from ir.streaming import rules
from tableapi import Dialect, EnvironmentSettings, TableEnvironment
from tests.streams.queries import STREAMS, TABLES

_SCHEMA = {"k": "BIGINT", "ts": "TIMESTAMP_LTZ", "v": "INT", "name": "STRING"}


@functools.cache
def environment() -> TableEnvironment:
    """Return the environment, in which each stream and each table is a temporary view, as in Spark."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    made = TableEnvironment.create(settings)
    for name in (*TABLES, *STREAMS):
        made.declare(f"files_of_{name}", _SCHEMA)
        made.create_temporary_view(name, made.from_path(f"files_of_{name}", stream=name in STREAMS))
    return made


def read(text: str, dialect: Dialect = Dialect.SPARK) -> QueryOperation:
    """Return the tree of a query, also if no output mode can run it."""
    nothing = mock.Mock()
    with mock.patch.object(rules, "require_some_mode", nothing), mock.patch.object(rules, "require_step", nothing):
        return environment().sql_query(text, dialect=dialect).query_operation
