"""The command ``tableapi sql``, which compiles a query to the SQL of a target."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grammar.statement_words import statements_of
from ir.errors import SqlParserException, TableException, ValidationException
from ir.rendering import Layout
from tableapi.environment.table_environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings

_STDIN = "-"
# Statements that an environment in memory executes itself, so that no command of this kind starts Spark.
_DECLARATIONS = ("CREATE", "USE", "DROP", "COMMENT")

DESCRIPTION = """\
Print a query as SQL that the target runs. The text may declare what the query reads, each statement ends with a
semicolon, and the query comes last:

  CREATE TABLE orders (id INT, status STRING);
  SELECT status, COUNT(*) AS n FROM orders GROUP BY status

No Spark is started.
"""
EXIT_CODES = """\
exit code:
  0  the SQL was printed
  2  the text could not be read or is invalid, or the target lacks something; or the command line is wrong
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    command.add_argument("path", help="a file, or - for stdin")
    command.add_argument("--target", help="the engine that runs the SQL, such as spark-3.5 (default: the newest Spark)")
    command.add_argument("--dialect", choices=["spark", "flink"], default="spark", help="the SQL to print")
    command.add_argument(
        "--layout", choices=["nested", "merged"], default="merged", help="as few SELECTs as possible, or one a step"
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    name = "<stdin>" if options.path == _STDIN else options.path
    try:
        text = sys.stdin.read() if options.path == _STDIN else Path(options.path).read_text("utf-8")
        print(_compiled(text, options))
    except OSError as error:
        print(f"{name}: error: It cannot be read: {error.strerror}.", file=sys.stderr)
    except UnicodeDecodeError as error:
        print(f"{name}: error: It is no text in UTF-8: byte {error.start + 1} is wrong.", file=sys.stderr)
    except (TableException, ValidationException, SqlParserException) as error:
        print(f"{name}: error: {error}", file=sys.stderr)
    else:
        return 0
    return 2


def _compiled(text: str, options: argparse.Namespace) -> str:
    # Under the names of Spark's own catalog, so that a session that has the tables runs the text unchanged.
    builder = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    builder.with_built_in_database_name("default")
    if options.target is not None:
        builder.with_target(options.target)
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
    table = environment.sql_query(query)
    layout = Layout.NESTED if options.dialect == "flink" else Layout.of(options.layout)
    return table.as_serializable_string(options.dialect, layout)
