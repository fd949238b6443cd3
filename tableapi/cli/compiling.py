"""Compiles the text of a query, with the declarations of what it reads, without Spark."""

from __future__ import annotations

import sys
from pathlib import Path

from grammar.statement_words import statements_of
from ir.errors import ValidationException
from tableapi.environment.table_environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings
from tableapi.project.configuration import ProjectError
from tableapi.table import Table

STDIN = "-"
# Statements that an environment in memory executes itself, so that no command of this kind starts Spark.
_DECLARATIONS = ("CREATE", "USE", "DROP", "COMMENT")


def read_text(path: str) -> str:
    """Return the text of a file, or of stdin for ``-``.

    Raises:
        ProjectError: the file cannot be read, or is no text in UTF-8.
    """
    try:
        return sys.stdin.read() if path == STDIN else Path(path).read_text("utf-8")
    except OSError as error:
        raise ProjectError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise ProjectError(f"{path} is no text in UTF-8: byte {error.start + 1} is wrong.") from None


def table_of_text(text: str, target: str | None, environment: TableEnvironment | None = None) -> Table:
    """Return the table of a query in a text, whose other statements declare what the query reads.

    Args:
        text: statements that end with semicolons; the query is the last.
        target: the name of the engine, such as ``spark-4.0``; None for the newest Spark.
        environment: the environment of a project; None for an empty one.

    Raises:
        ValidationException: a statement is no declaration, or the query is invalid.
    """
    if environment is None:
        # Under the names of Spark's own catalog, so that a session that has the tables runs the text unchanged.
        builder = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
        builder.with_built_in_database_name("default")
        if target is not None:
            builder.with_target(target)
        environment = TableEnvironment.create(builder.build())
    *declarations, query = [statement for statement in statements_of(text) if statement.strip()] or [""]
    for statement in declarations:
        word = statement.split(None, 1)[0].upper()
        if word not in _DECLARATIONS:
            raise ValidationException(
                f"{word} is no declaration. Before the query, the text may have statements that begin with "
                f"{', '.join(_DECLARATIONS)}."
            )
        environment.execute_sql(statement)
    return environment.sql_query(query)
