"""Table and function names are qualified where they refer to catalog objects, and only there."""

from __future__ import annotations

import pytest

from grammar.full_names import add_full_names
from ir.errors import SqlParserException


def _missing(parts: tuple[str, ...]) -> tuple[str, ...]:
    return ("c", "d")[: max(0, 3 - len(parts))]


def _missing_of_function(parts: tuple[str, ...]) -> tuple[str, ...]:
    return _missing(parts) if parts[-1] in ("f", "g") else ()


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("SELECT t.a, d.t.a FROM t", "SELECT t.a, d.t.a FROM `c`.`d`.t"),
        ("SELECT * FROM `a b`, x.y, m.x.y", "SELECT * FROM `c`.`d`.`a b`, `c`.x.y, m.x.y"),
        ("TABLE t", "TABLE `c`.`d`.t"),
        ("FROM t SELECT a", "FROM `c`.`d`.t SELECT a"),
        ("FROM t |> WHERE f(a) |> JOIN u ON TRUE", "FROM `c`.`d`.t |> WHERE `c`.`d`.f(a) |> JOIN `c`.`d`.u ON TRUE"),
        (
            "SELECT a FROM t AS u WHERE u.a IN (SELECT a FROM u)",
            "SELECT a FROM `c`.`d`.t AS u WHERE u.a IN (SELECT a FROM `c`.`d`.u)",
        ),
        (
            "WITH t AS (SELECT * FROM t), u AS (TABLE t) SELECT * FROM t, u, v",
            "WITH t AS (SELECT * FROM `c`.`d`.t), u AS (TABLE t) SELECT * FROM t, u, `c`.`d`.v",
        ),
        ("WITH T AS (SELECT 1 AS a) SELECT * FROM t", "WITH T AS (SELECT 1 AS a) SELECT * FROM t"),
        ("WITH t AS (SELECT 1 AS a) SELECT * FROM d.t", "WITH t AS (SELECT 1 AS a) SELECT * FROM `c`.d.t"),
        (
            "SELECT * FROM (WITH t AS (SELECT 1 AS a) TABLE t), t",
            "SELECT * FROM (WITH t AS (SELECT 1 AS a) TABLE t), `c`.`d`.t",
        ),
        (
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) TABLE r",
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) TABLE r",
        ),
        (
            "WITH t AS (SELECT 1 AS a) SELECT (SELECT max(a) FROM t) AS m",
            "WITH t AS (SELECT 1 AS a) SELECT (SELECT max(a) FROM t) AS m",
        ),
        (
            "SELECT f(a), d.f(a), upper(a), f(g(a)) OVER (ORDER BY b) FROM t",
            "SELECT `c`.`d`.f(a), `c`.d.f(a), upper(a), `c`.`d`.f(`c`.`d`.g(a)) OVER (ORDER BY b) FROM `c`.`d`.t",
        ),
        ("SELECT * FROM f(1), LATERAL g(2)", "SELECT * FROM `c`.`d`.f(1), LATERAL `c`.`d`.g(2)"),
        (
            "SELECT * FROM f(TABLE(t) PARTITION BY a, DESCRIPTOR(a))",
            "SELECT * FROM `c`.`d`.f(TABLE(`c`.`d`.t) PARTITION BY a, DESCRIPTOR(a))",
        ),
        (
            "SELECT transform(x, f -> f + 1) FROM t PIVOT (max(f(a)) FOR b IN (1))",
            "SELECT transform(x, f -> f + 1) FROM `c`.`d`.t PIVOT (max(`c`.`d`.f(a)) FOR b IN (1))",
        ),
        ("SELECT * FROM IDENTIFIER('t') -- t", "SELECT * FROM `c`.`d`.`t`             -- t"),
        ("SELECT 't' AS t FROM t /* FROM t */", "SELECT 't' AS t FROM `c`.`d`.t /* FROM t */"),
    ],
)
def test_names_are_completed(text: str, complete: str) -> None:
    made = add_full_names(text, _missing, _missing_of_function)
    assert made == complete
    # A fully qualified name stays as it is.
    assert add_full_names(made, _missing, _missing_of_function) == made


def test_invalid_sql_is_rejected() -> None:
    with pytest.raises(SqlParserException, match="FORM"):
        add_full_names("SELECT * FORM t", _missing, _missing_of_function)
