"""Scripts: several SQL statements in one text, executed in order."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from grammar.statement_words import statements_of
from ir.errors import SqlParserException, ValidationException
from tableapi.tracebacks import add_note, boundaries

if TYPE_CHECKING:
    from tableapi.result import TableResult
    from tableapi.statements.sql_statements import SqlStatements


@boundaries
class ScriptResults(Iterator["TableResult"]):
    """The results of a script, one per statement; a statement is executed when its result is requested.

    Therefore, the rows of a query can be read before a later statement changes its tables. ``wait`` executes the
    remaining statements, if their results are not needed.

    >>> from tableapi import EnvironmentSettings, TableEnvironment
    >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    >>> te = TableEnvironment.create(settings)
    >>> results = te.execute_script('''
    ...     CREATE VIEW answers (a) AS SELECT 42;
    ...     SHOW VIEWS LIKE 'ans*';
    ... ''')
    >>> results
    ScriptResults(0 of 2 statements executed)
    >>> for result in results:
    ...     result.print()
    OK
    +------------------+----------+-------------+
    | namespace        | viewName | isTemporary |
    +------------------+----------+-------------+
    | default_database | answers  | FALSE       |
    +------------------+----------+-------------+
    1 row in set
    """

    def __init__(self, statements: list[str], execute: Callable[[str], TableResult]) -> None:
        self._statements = statements
        self._execute = execute
        self._executed = 0
        self._failed = False

    def __next__(self) -> TableResult:
        if self._failed or self._executed == len(self._statements):
            raise StopIteration
        try:
            result = self._execute(self._statements[self._executed])
        except BaseException as error:
            self._failed = True
            add_note(error, _failure(self._executed, len(self._statements)))
            raise
        self._executed += 1
        return result

    def wait(self) -> None:
        """Execute the remaining statements, each after the previous one has ended.

        Raises:
            TableException: a statement fails; the statements after it are not executed.
        """
        for result in self:
            result.wait()

    def __repr__(self) -> str:
        return f"ScriptResults({self._executed} of {len(self._statements)} statements executed)"

    def __del__(self) -> None:
        if self._executed == 0 and not self._failed:
            warnings.warn(
                f"No statement of a script of {len(self._statements)} was executed. Iterate over what execute_script "
                "returns, or call wait() on it.",
                stacklevel=2,
            )


def read_script(text: object, statements: SqlStatements) -> ScriptResults:
    """Return the results of a script, whose statements are not executed yet.

    Raises:
        SqlParserException: a statement that this library executes itself cannot be parsed.
        ValidationException: the argument is not a string, or contains no statement.
    """
    if not isinstance(text, str):
        raise ValidationException(f"execute_script takes the text of a script, but was given {text!r}.")
    found = statements_of(text)
    if not found:
        raise ValidationException("execute_script takes the text of a script, and the text has no statement.")
    for number, statement in enumerate(found):
        try:
            statements.require_readable(statement)
        except SqlParserException as error:
            add_note(error, f"This is statement {number + 1} of {len(found)}; none of them has been executed.")
            raise
    return ScriptResults(found, statements.execute)


def _failure(executed: int, count: int) -> str:
    if executed == 0:
        before = "Nothing before it"
    elif executed == 1:
        before = "The statement before it"
    else:
        before = f"Each of the {executed} statements before it"
    return f"This is statement {executed + 1} of {count}. {before} was executed, and nothing after it will be."
