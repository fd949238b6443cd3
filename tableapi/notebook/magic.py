"""The magic ``%%tableapi``, which runs the SQL of a cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import attrs

from grammar.statement_words import is_query, statements_of, words
from ir.errors import TableException, ValidationException
from tableapi.environment.table_environment import TableEnvironment
from tableapi.notebook.variables import environment_in
from tableapi.result import TableResult
from tableapi.table import Table
from tableapi.tracebacks import show_instead, shows_internal_frames

NAME: Final = "tableapi"
_ENV: Final = "--env"
_USAGE: Final = "%%tableapi [NAME] [--env VAR], with the SQL below it, or %tableapi [--env VAR] SQL"


@attrs.frozen
class _Options:
    """A parsed line of the magic: its variables and its SQL.

    Attributes:
        name: the variable for the result; None for none.
        environment: the variable with the environment; None for the only one.
        sql: the SQL on the line.
    """

    name: str | None
    environment: str | None
    sql: str


class Magic:
    """The magic of one shell of IPython.

    Args:
        shell: the shell, whose variables have the environment.
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell

    def function(self) -> Callable[..., Table | TableResult]:
        """Return the function that IPython calls; its docstring is the help of the magic."""

        def tableapi(line: str, cell: str | None = None) -> Table | TableResult:
            """Run the SQL of a cell or a line, and return its table or result.

            %%tableapi [NAME] [--env VAR]
            SQL

            %tableapi [--env VAR] SQL

            A query becomes a table, which runs when its rows are asked for: NAME.execute(). Another statement is run,
            and its result is returned. A cell may have several statements, separated by semicolons: they are run in
            their order, and the cell returns what the last one gives.

            NAME        the variable for the table or the result; a cell without it shows the table alone.
            --env VAR   the variable with the environment; it can be omitted if there is only one environment.

            Positions in messages count from the first line of SQL. Variables of Python are not inserted into the SQL.

            %%tableapi dear
            SELECT * FROM orders WHERE amount > 100

            result = %tableapi SHOW VIEWS
            """
            try:
                return self._run(line, cell)
            except (TableException, KeyboardInterrupt) as error:
                if not shows_internal_frames():
                    _show_message(error)
                raise

        # IPython would replace {name} and $name in the line by values, which have no place in SQL.
        tableapi._ipython_magic_no_var_expand = True  # type: ignore[attr-defined]  # IPython reads it
        return tableapi

    def _run(self, line: str, cell: str | None) -> Table | TableResult:
        options = _read_line(line, is_cell=cell is not None)
        sql = options.sql if cell is None else cell
        if not statements_of(sql):
            raise ValidationException(f"There is no SQL to run. Write {_USAGE}. %tableapi? shows the help.")
        found = run_statements(environment_in(self._shell.user_ns, options.environment), sql)
        if options.name is not None:
            self._shell.user_ns[options.name] = found
        return found


def run_statements(environment: TableEnvironment, sql: str) -> Table | TableResult:
    """Run the statements of a text in their order, and return the table or the result of the last one.

    A query at the end is not run: it becomes a table. All statements are parsed before the first one is run.

    Raises:
        TableException: a statement is invalid or fails; those after it are not run.
    """
    *others, last = statements_of(sql)
    if not others:
        return environment.sql_query(sql) if is_query(words(last)) else environment.execute_sql(sql)
    results = environment.execute_script(sql)
    for _ in others:
        next(results).wait()
    return environment.sql_query(last) if is_query(words(last)) else next(results)


def _read_line(line: str, is_cell: bool) -> _Options:
    """Return the options of the line of a magic.

    Raises:
        ValidationException: an option is unknown or has no value, or a cell has more than one name.
    """
    name, environment, rest = None, None, line.strip()
    while rest.startswith("--") or (is_cell and rest):
        word, _, rest = rest.partition(" ")
        rest = rest.lstrip()
        if word == _ENV or word.startswith(f"{_ENV}="):
            value = word[len(_ENV) + 1 :]
            if not value:
                value, _, rest = rest.partition(" ")
                rest = rest.lstrip()
            if not value.isidentifier():
                raise ValidationException(f"--env takes the name of a variable, but was given {value!r}. {_WRITE}")
            environment = value
        elif word.startswith("--") and word.strip("-").isidentifier():
            raise ValidationException(f"The magic has no option {word}; it has --env VAR. {_WRITE}")
        elif not is_cell:
            # It is a comment of SQL.
            return _Options(None, environment, f"{word} {rest}")
        elif name is not None or not word.isidentifier():
            raise ValidationException(
                f"The line of %%tableapi takes one name of a variable, but has {word!r}. {_WRITE}, or the SQL of one "
                "line with %tableapi."
            )
        else:
            name = word
    return _Options(name, environment, rest)


_WRITE: Final = f"Write {_USAGE}"


def _show_message(error: BaseException) -> None:
    """Have IPython show the message of an exception, without any line of Python: the mistake is in the SQL."""
    message, kind = str(error), type(error).__name__
    notes = getattr(error, "__notes__", [])
    text = "\n".join([f"{kind}: {message}" if message else kind, *notes])
    show_instead(error, text.splitlines)
