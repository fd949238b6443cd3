"""Calls of process table functions: their columns, their text in both dialects, and reading the texts back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from ir.errors import TableException
from tableapi import Dialect, TableEnvironment
from tests.process_functions.calls import CALLS, Call
from tests.process_functions.tables import environment
from tests.snapshot_files import PythonFiles, SqlFiles, TreeFiles

every_call = pytest.mark.parametrize("name", CALLS)


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    return environment()


@every_call
def test_schema(name: str, env: TableEnvironment) -> None:
    assert repr(CALLS[name].build(env).get_resolved_schema()) == CALLS[name].schema


@every_call
def test_snapshot_tree(name: str, env: TableEnvironment, snapshot: SnapshotAssertion) -> None:
    assert CALLS[name].build(env).as_summary_string() + "\n" == snapshot(name=name, extension_class=TreeFiles)


@every_call
def test_snapshot_spark(name: str, env: TableEnvironment, snapshot: SnapshotAssertion) -> None:
    table = CALLS[name].build(env)
    text = table.as_serializable_string()
    assert text + "\n" == snapshot(name=name, extension_class=SqlFiles)
    assert env.sql_query(text).query_operation is table.query_operation


@every_call
def test_snapshot_flink(name: str, env: TableEnvironment, snapshot: SnapshotAssertion) -> None:
    table, reason = CALLS[name].build(env), CALLS[name].no_flink
    if reason is not None:
        with pytest.raises(TableException, match=re.escape(reason)):
            table.as_serializable_string(Dialect.FLINK)
        return
    text = table.as_serializable_string(Dialect.FLINK)
    assert text + "\n" == snapshot(name=name, extension_class=SqlFiles)
    assert env.sql_query(text, dialect=Dialect.FLINK).query_operation is table.query_operation


@every_call
def test_snapshot_python(name: str, env: TableEnvironment, snapshot: SnapshotAssertion) -> None:
    table = CALLS[name].build(env)
    text = table.to_python()
    assert text == snapshot(name=name, extension_class=PythonFiles)
    scope: dict[str, Any] = {"env": env}
    exec(text, scope)
    assert scope["result"].query_operation is table.query_operation


@pytest.mark.parametrize(
    ("call", "text", "dialect"),
    [
        pytest.param(call, text, dialect, id=f"{name}-{dialect.name}-{number}")
        for name, call in CALLS.items()
        for dialect in Dialect
        for number, text in enumerate(call.sql if dialect is Dialect.SPARK else call.flink)
    ],
)
def test_the_same_in_sql(call: Call, text: str, dialect: Dialect, env: TableEnvironment) -> None:
    assert env.sql_query(text, dialect=dialect).query_operation is call.build(env).query_operation
