"""Compiles the text of a query or of a statement about a table, with declarations of what it reads, without Spark."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grammar.statement_words import statements_of, words
from ir.errors import ValidationException
from tableapi.environment.table_environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings
from tableapi.lazy import lazy
from tableapi.project.configuration import ProjectError
from tableapi.table import Table
from tableapi.table_statement import TableStatement

if TYPE_CHECKING:
    from tableapi.migration import view_statements
else:
    view_statements = lazy(__name__, "tableapi.migration.view_statements")

STDIN = "-"
# Statements that an environment in memory executes itself, so that no command of this kind starts Spark.
_DECLARATIONS = ("CREATE", "USE", "DROP", "COMMENT")
_STATEMENTS = (
    *("INSERT", "MERGE", "UPDATE", "DELETE", "CREATE", "REPLACE", "ALTER", "DROP", "TRUNCATE", "ANALYZE", "REFRESH"),
    *("MSCK", "REPAIR", "CACHE", "UNCACHE", "COMMENT"),
)


def read_text(path: str) -> str:
    """Return the text of a file, or of stdin for ``-``.

    Raises:
        ProjectError: the file cannot be read, or is not in UTF-8.
    """
    try:
        return sys.stdin.read() if path == STDIN else Path(path).read_text("utf-8")
    except OSError as error:
        raise ProjectError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise ProjectError(f"{path} is no text in UTF-8: byte {error.start + 1} is wrong.") from None


def is_text(given: str) -> bool:
    """Whether an argument is SQL itself, rather than the name of a file or a view.

    A name with a blank has back-quotes.

    >>> is_text("SELECT 1"), is_text("sales.daily"), is_text("sales.`per day`")
    (True, False, False)
    """
    words = given.split()
    return len(words) > 1 and "`" not in words[0]


def has_declarations(text: str) -> bool:
    """Whether statements that declare something stand before the query of a text."""
    return len([statement for statement in statements_of(text) if statement.strip()]) > 1


def is_view(text: str) -> bool:
    """Whether the last statement of a text creates a view.

    >>> is_view("CREATE VIEW one AS SELECT 1"), is_view("SELECT 1 AS view")
    (True, False)
    """
    return _view_word(_last_of(text)[1]) is not None


def _last_of(text: str) -> tuple[list[str], str]:
    """Return the statements before the last one, and the last one."""
    *before, last = [statement for statement in statements_of(text) if statement.strip()] or [""]
    return before, last


def _view_word(statement: str) -> int | None:
    if statement.split(None, 1)[:1] and statement.split(None, 1)[0].upper() == "CREATE":
        return view_statements.view_word([token.text.upper() for token in words(statement)])
    return None


def _query_of_view(statement: str, word: int, environment: TableEnvironment) -> Table:
    """Return the query of a CREATE VIEW statement under the names that it gives to the columns."""
    found = view_statements.read_view(view_statements.FileStatement(statement, 1, "", tuple(words(statement))), word)
    table = environment.sql_query(found.query)
    return table.alias(*[name for name, _ in found.definition.columns]) if found.definition.renames else table


def compile_text(text: str, target: str | None, environment: TableEnvironment | None = None) -> Table | TableStatement:
    """Return the query, or the statement about a table, at the end of a text, whose other statements are declarations.

    If the last statement creates a view, return the view's query.

    Args:
        text: statements that end with semicolons; what is compiled is the last.
        target: the name of the engine, such as ``spark-4.0``; None for the newest Spark.
        environment: the environment of a project; None for an empty one.

    Raises:
        ValidationException: a statement before the last is not a declaration, or the last one is invalid.
    """
    if environment is None:
        # Under the names of Spark's own catalog, so that a session that has the tables runs the text unchanged.
        builder = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
        builder.with_built_in_database_name("default")
        if target is not None:
            builder.with_target(target)
        environment = TableEnvironment.create(builder.build())
    declarations, query = _last_of(text)
    for statement in declarations:
        first = statement.split(None, 1)[0].upper()
        if [token.text.upper() for token in words(statement)[:2]] == ["CREATE", "CATALOG"]:
            # One in a directory would write files.
            raise ValidationException("CREATE CATALOG is no declaration: its objects may be files, which would stay.")
        if first not in _DECLARATIONS:
            raise ValidationException(
                f"{first} is no declaration. Before the query, the text may have statements that begin with "
                f"{', '.join(_DECLARATIONS)}."
            )
        environment.execute_sql(statement)
    word = _view_word(query)
    if word is not None:
        return _query_of_view(query, word, environment)
    if query.split(None, 1)[:1] and query.split(None, 1)[0].upper() in _STATEMENTS:
        return environment.sql_statement(query)
    return environment.sql_query(query)
