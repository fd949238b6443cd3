"""Names in generated code: names that Python normalises or does not accept never change a query."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir.errors import ValidationException
from ir.identifiers import quote
from tableapi import TableEnvironment
from tableapi.python_code.python_names import identifier, is_python_name
from tests.to_python.evaluated import evaluated

ENV = TableEnvironment.create()
NAMES = [
    "s",
    "ſ",
    "S",
    "a",
    "ª",
    "x",
    "ｘ",
    "ﬁ",
    "fi",
    "col",
    "env",
    "result",
    "call",
    "lambda",
    "None",
    "__debug__",
    "match",
]


def _same(query: str) -> bool:
    table = ENV.sql_query(query)
    return evaluated(table.to_python(), ENV).query_operation is table.query_operation


@given(st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_lambda_parameters_equal_in_python(outer: str, inner: str) -> None:
    a, b = quote(outer), quote(inner)
    assert _same(f"SELECT transform(array(10), {a} -> transform(array(1), {b} -> {a} - {b})) AS q")


@given(st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_table_names_equal_in_python(first: str, second: str) -> None:
    a, b = quote(first), quote(f"{second}2")
    assert _same(
        f"WITH {a} AS (SELECT 1 AS i), {b} AS (SELECT 2 AS i) SELECT i FROM {a} UNION ALL SELECT i FROM {b} "
        f"UNION ALL SELECT i FROM {a} UNION ALL SELECT i FROM {b}"
    )


@given(st.text())
def test_identifier_is_a_name_of_python(text: str) -> None:
    assert is_python_name(identifier(text))


def test_variable_that_the_imports_would_hide() -> None:
    table = ENV.sql_query("SELECT array(1) AS q")
    with pytest.raises(ValidationException, match="would hide the environment"):
        table.to_python(environment="array")


@pytest.mark.parametrize("name", ["ſ", "class", "two words", "__debug__"])
def test_invalid_and_repeated_variable_names(name: str) -> None:
    with pytest.raises(ValidationException, match="takes names of Python variables"):
        ENV.sql_query("SELECT 1 AS q").to_python(name=name)
