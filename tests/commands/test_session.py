"""Mistakes in statements about what a session has are found before anything runs, each at its place."""

from __future__ import annotations

import re

import pytest

from tableapi import TableEnvironment
from tableapi.exceptions import TableException
from tests.commands.page_statements import environment


@pytest.fixture(scope="module")
def te() -> TableEnvironment:
    return environment()


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("DECLARE x", "needs a type or a default", "x"),
        ("DECLARE a, A INT", "The variable A is named twice", "A INT"),
        ("DECLARE shop.q INT", "write the name alone: q", "shop.q"),
        ("DECLARE x INT DEFAULT (SELECT 1)", "holds a subquery", "SELECT 1"),
        ("DECLARE x INT DEFAULT max(1)", "holds an aggregate", "max(1)"),
        ("DECLARE x INT DEFAULT y + 1", "Cannot resolve y", "y + 1"),
        ("SET VAR x = (SELECT max(idd) FROM orders)", "Did you mean 'id'?", "idd"),
        ("SET VAR x = 1, X = 2", "The variable X is named twice", "X = 2"),
        ("SET VAR x = row_number() OVER (ORDER BY 1)", "a function over a window", "OVER"),
        ("SET VARIABLE (a, b) = (SELECT id FROM orders)", "names 2 variables, and the query has 1 columns", "a, b"),
        ("CREATE GLOBAL TEMP VIEW d.v AS SELECT 1", "write its name alone: v", "d.v"),
        ("CREATE GLOBAL TEMP VIEW v (x, y) AS SELECT 1", "names 2 columns, and its query has 1", "x, y"),
        ("CREATE GLOBAL TEMP VIEW v TBLPROPERTIES ('a' = 'b') AS SELECT 1", "a comment, and no properties", "v TBL"),
        ("CREATE GLOBAL TEMP VIEW v AS SELECT idd FROM orders", "Did you mean 'id'?", "idd"),
        ("ALTER VIEW v WITH SCHEMA EVOLUTON", "Did you mean 'EVOLUTION'?", "EVOLUTON"),
        ("REFRESH /data", "expected is text in quotes, FUNCTION or TABLE", "/data"),
    ],
)
def test_mistakes_are_marked(te: TableEnvironment, text: str, message: str, at: str) -> None:
    with pytest.raises(TableException, match=re.escape(message)) as raised:
        te.sql_statement(text)
    shown, carets = str(raised.value).splitlines()[-2:]
    assert shown[carets.index("^") :].startswith(at), str(raised.value)


def test_no_statement_starts_spark(te: TableEnvironment) -> None:
    for text in ("SET VAR x = (SELECT max(id) FROM orders)", "ALTER VIEW v WITH SCHEMA BINDING", "REFRESH FUNCTION f"):
        with pytest.raises(TableException, match="Nothing was executed"):
            te.execute_sql(text)
    assert te._parts.runtime.started is None
