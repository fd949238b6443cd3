"""Errors for invalid process table functions and calls: read the snapshots as the person who made the mistake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from ir.errors import TableException, ValidationException
from tableapi import Row, TableDescriptor, TableEnvironment
from tableapi.expressions import col
from tableapi.process_functions import TableAsSet
from tableapi.process_functions.declaration import declare_process_function
from tableapi.udf import udtf
from tests.process_functions import hostile_calls, hostile_declarations, hostile_states
from tests.process_functions.tables import environment
from tests.snapshot_files import TreeFiles


def _declared(cases: dict[str, Callable[[], Any]]) -> str:
    shown = []
    for name, make in cases.items():
        given = make()
        with pytest.raises(ValidationException) as raised:
            declare_process_function(given)
        shown.append(f"--- {name}\n{raised.value}\n")
    return "\n".join(shown)


def _called(name: str, env: TableEnvironment, call: Callable[[TableEnvironment], Any]) -> str:
    with pytest.raises(TableException) as raised:
        call(env)
    error = raised.value
    codes = f" [{error.condition}, {error.sql_state}]" if error.condition else ""
    return f"--- {name}\n{type(error).__name__}{codes}\n{error}\n"


def test_snapshot_errors(snapshot: SnapshotAssertion) -> None:
    # Rejected calls leave no trace, so one environment serves all.
    env = environment()
    shown = {
        "process table functions, declared": _declared(hostile_declarations.CASES),
        "process table functions, declared with states": _declared(hostile_states.CASES),
        "process table functions, called in Python": "\n".join(
            [_called(name, env, call) for name, call in hostile_calls.IN_PYTHON.items()]
        ),
        "process table functions, called in SQL": "\n".join(
            [
                _called(name, env, lambda env, text=text: env.sql_query(text))
                for name, text in hostile_calls.IN_SQL.items()
            ]
        ),
    }
    for name, text in shown.items():
        assert text == snapshot(name=name, extension_class=TreeFiles)


def test_a_table_function_takes_no_tables() -> None:
    def first(row: TableAsSet[Row]) -> str:
        return str(row)

    with pytest.raises(ValidationException, match="Only scalar arguments are supported at this location"):
        udtf(first)


def test_the_statement_set_takes_one_call_twice() -> None:
    env = environment()
    files = TableDescriptor.for_connector("filesystem").option("path", "files").format("parquet").build()
    counted = env.from_path("customers").partition_by(col("id")).process("by_set", uid="once")
    statements = env.create_statement_set()
    statements.add_insert(files, counted.filter(col("count") > 1))
    statements.add_insert(files, counted.filter(col("count") == 1))
