"""Every statement of ``statements/*.sql`` is read, printed in each dialect, and read back as the same tree."""

from __future__ import annotations

import contextlib
import functools

import pytest

from ir.commands.command import Command
from ir.rendering import Layout
from tableapi import Dialect
from tableapi.exceptions import TableException
from tests.cases import every
from tests.commands.tables import dialect_of, environment, name_of, statements

_environment = functools.cache(environment)


def _read(text: str, dialect: Dialect = Dialect.SPARK) -> Command:
    return _environment().sql_statement(text, dialect=dialect).get_command()


@every("statement", statements, name_of)
def test_spark_text_reads_back(statement: tuple[str, str]) -> None:
    command = _read(statement[1], dialect_of(statement))
    for layout in Layout:
        try:
            text = command.as_serializable_string(layout=layout)
        except TableException:
            assert dialect_of(statement) is Dialect.FLINK
            pytest.skip("Spark has no form of it.")
        assert _read(text) is command, text


@every("statement", statements, name_of)
def test_flink_text_reads_back(statement: tuple[str, str]) -> None:
    command = _read(statement[1], dialect_of(statement))
    try:
        text = command.as_serializable_string(Dialect.FLINK)
    except TableException:
        assert dialect_of(statement) is Dialect.SPARK
        pytest.skip("Flink has no form of it.")
    assert _read(text, Dialect.FLINK) is command, text


@every("statement", statements, name_of)
def test_explanation_shows_the_tree_and_the_text(statement: tuple[str, str]) -> None:
    made = _environment().sql_statement(statement[1], dialect=dialect_of(statement))
    explained = made.explain()
    assert made.get_command().as_summary_string() in explained
    texts = []
    for dialect in Dialect:
        with contextlib.suppress(TableException):
            texts.append(made.as_serializable_string(dialect))
    assert any(text in explained for text in texts)
