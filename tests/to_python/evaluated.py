"""Helpers for the Python code of queries: the code on one line, and the queries that it builds."""

from __future__ import annotations

import re
from typing import Any

from tableapi import DataTypes, Table, TableEnvironment
from tableapi.expressions import col
from tests.programs.tables import Tables, environment_without_spark

ENV = environment_without_spark()
TABLES = Tables(ENV)
T = DataTypes
x, y = col("x"), col("y")


def evaluated(text: str, environment: TableEnvironment = ENV, name: str = "env", result: str = "result") -> Table:
    """Return the table that a program assigns to a name."""
    scope: dict[str, Any] = {name: environment}
    exec(text, scope)
    found = scope[result]
    assert isinstance(found, Table)
    return found


def written(table: Table) -> str:
    """Return the code of a query without imports, after checking that it builds the query."""
    text = table.to_python()
    assert evaluated(text).query_operation is table.query_operation
    return _IMPORTS.sub("", text)


_IMPORTS = re.compile(r"\A(?:(?:import|from) .*?\n\n)+", re.DOTALL)


def on_one_line(text: str) -> str:
    """Return code on one line, without the parentheses and blanks that only line breaks need."""
    one_line = " ".join(line.strip() for line in text.splitlines())
    one_line = re.sub(r"(?<=[(\[]) ", "", one_line).replace(" .", ".")
    return re.sub(r",? (?=[)\]])", "", one_line)


def expression_code(expression: Any) -> str:
    """Return the code of an expression over the table ``left_bag``."""
    text = on_one_line(written(TABLES.left_bag.select(expression.alias("e"))))
    return text.removeprefix('result = env.from_path("left_bag").select(').removesuffix('.alias("e"))')
