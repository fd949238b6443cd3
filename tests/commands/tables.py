"""The tables of the statements in ``tests/commands/statements``, declared in a catalog in memory."""

from __future__ import annotations

from pathlib import Path

from grammar.statement_words import statements_of
from tableapi import Dialect, EnvironmentSettings, TableEnvironment

STATEMENTS = Path(__file__).parent / "statements"


def environment() -> TableEnvironment:
    """Return an environment whose current catalog, in memory, has the tables of the statements."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    te = TableEnvironment.create(settings)
    te.execute_sql("CREATE DATABASE sales")
    for name in ("orders", "updates"):
        te.declare(
            f"sales.{name}",
            {
                "id": "BIGINT NOT NULL",
                "customer": "STRING",
                "amount": "DECIMAL(10, 2)",
                "placed": "TIMESTAMP_LTZ(6)",
                "day": "DATE",
                "address": "ROW<street STRING, town STRING>",
                "tags": "ARRAY<STRING>",
            },
        )
    te.declare("sales.customers", {"id": "BIGINT NOT NULL", "name": "STRING NOT NULL", "country": "CHAR(2)"})
    te.declare(
        "sales.visits",
        {"id": "BIGINT", "page": "STRING", "day": "DATE", "country": "CHAR(2)"},
        partitioned_by=("day", "country"),
    )
    te.execute_sql("USE sales")
    return te


def statements() -> list[tuple[str, str]]:
    """Return the statements of all files, each with the name of its file and its number there."""
    return [
        (f"{path.stem}-{number}", statement.strip())
        for path in sorted(STATEMENTS.glob("*.sql"))
        for number, statement in enumerate(statements_of(path.read_text()), 1)
    ]


def dialect_of(statement: tuple[str, str]) -> Dialect:
    """Return the dialect in which a statement is written: files ``*.flink.sql`` are in Flink's."""
    return Dialect.FLINK if ".flink-" in statement[0] else Dialect.SPARK


def name_of(statement: tuple[str, str]) -> str:
    """Return the name of a statement among the cases of a test."""
    return statement[0]
