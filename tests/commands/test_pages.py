"""The statements in the manner of Spark's documentation pages are read, printed and read back equal, without Spark."""

from __future__ import annotations

import functools
from typing import Any

from grammar.formatting import format_text
from grammar.reading import parse_syntax
from grammar.statement_words import is_command, is_own, words
from ir.commands.command import Command
from ir.operations.operation import QueryOperation
from ir.rendering import Layout
from tableapi import Dialect, diff
from tableapi.exceptions import TableException
from tests.cases import every
from tests.commands.page_statements import PageStatement, environment, page_statements, statement_name

_environment = functools.cache(environment)


def _of_kind(kind: str) -> list[PageStatement]:
    return [statement for statement in page_statements() if statement.kind == kind]


def test_most_statements_have_a_tree() -> None:
    counts = {kind: len(_of_kind(kind)) for kind in ("tree", "own", "text")}
    assert counts == {"tree": 186, "own": 41, "text": 4}


def _with_normal_queries(command: Command) -> Command:
    """Return a command with its queries in the form that both layouts have in common."""
    return command.map_parts(lambda part: part.normalize() if isinstance(part, QueryOperation) else part)


@every("statement", lambda: _of_kind("tree"), statement_name)
def test_trees_are_printed_and_read_back(statement: PageStatement) -> None:
    te = _environment()
    made = te.sql_statement(statement.text)
    command = made.get_command()
    texts = 0
    for dialect, layout in (
        (Dialect.SPARK, Layout.NESTED),
        (Dialect.SPARK, Layout.MERGED),
        (Dialect.FLINK, Layout.NESTED),
    ):
        try:
            text = made.as_serializable_string(dialect, layout)
        except TableException:
            continue
        texts += 1
        again = te.sql_statement(text, dialect=dialect).get_command()
        if layout is Layout.NESTED:
            assert again is command, text
        assert _with_normal_queries(again) is _with_normal_queries(command), text
    assert texts > 0
    assert command.as_summary_string() in made.explain()
    scope: dict[str, Any] = {"env": te}
    exec(made.to_python(), scope)
    assert not diff(made.get_command(), scope["statement"].get_command())


@every("statement", lambda: _of_kind("own"), statement_name)
def test_other_statements_of_the_environment_are_formatted(statement: PageStatement) -> None:
    assert is_own(words(statement.text))
    formatted = format_text(statement.text, Dialect.SPARK, 100).text
    assert format_text(formatted, Dialect.SPARK, 100).text == formatted
    assert type(parse_syntax(formatted, Dialect.SPARK)) is type(parse_syntax(statement.text, Dialect.SPARK))


@every("statement", lambda: _of_kind("text"), statement_name)
def test_the_rest_is_left_to_spark(statement: PageStatement) -> None:
    given = words(statement.text)
    assert not is_own(given)
    assert not is_command(given)
