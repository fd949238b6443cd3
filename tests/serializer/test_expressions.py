"""SQL text of expressions that naive serialization would change."""

from __future__ import annotations

import pytest

from ir.calls import call
from ir.functions.builtins import BUILT_INS
from ir.literals import literal
from tableapi import Dialect, TableEnvironment
from tableapi.expressions import col, current_date, lit


def _text(expression: object, dialect: Dialect = Dialect.SPARK) -> str:
    table = TableEnvironment.create().from_elements([(1, True, "s", (1,))], ["i", "b", "s", "r"])
    projection = table.select(expression).query_operation  # type: ignore[arg-type]
    return projection.projections[0].as_serializable_string(dialect)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (col("i") - lit(-5), "`i` - -5"),
        (-(-col("i")), "-(-`i`)"),  # noqa: B002  # two signs are what it is about
        (-(col("i") * 2), "-(`i` * 2)"),
        (lit(-5) * col("i"), "-5 * `i`"),
        (-lit(5), "-5"),
        ((col("i") * 2) % 3, "`i` * 2 % 3"),
        (col("i") * (lit(2) % col("i")), "`i` * (2 % `i`)"),
        (col("i") - (col("i") + 1), "`i` - (`i` + 1)"),
        (~~col("b"), "NOT NOT `b`"),
        (~(col("b") == True), "NOT `b` = TRUE"),  # noqa: E712  # an expression
        ((~col("b")) == True, "(NOT `b`) = TRUE"),  # noqa: E712  # an expression
        ((col("b") | col("b")) & col("b"), "(`b` OR `b`) AND `b`"),
        ((col("b") & col("b")) | col("b"), "`b` AND `b` OR `b`"),
        ((col("i") > 1).is_null, "(`i` > 1) IS NULL"),
        (col("i").is_null.is_null, "(`i` IS NULL) IS NULL"),
        ((col("i") == 1).between(True, False), "(`i` = 1) BETWEEN TRUE AND FALSE"),
        (col("i").between(1, 2) & col("b"), "`i` BETWEEN 1 AND 2 AND `b`"),
        (col("i").between(col("i") + 1, 2), "`i` BETWEEN `i` + 1 AND 2"),
        ((col("s") + "x").like("a%"), "CONCAT(`s`, 'x') LIKE 'a%'"),
        (col("r").f0 + 1, "`r`.`f0` + 1"),
        (lit([1, 2]).at(1), "TRY_ELEMENT_AT(ARRAY(1, 2), 1)"),
    ],
)
def test_parentheses_are_minimal(expression: object, text: str) -> None:
    assert _text(expression) == text


def test_a_negative_literal_after_minus_is_parenthesised() -> None:
    least = literal(-(2**63))
    text = call(BUILT_INS.by_name("minusPrefix"), (least,)).as_serializable_string()
    assert text == "-(-9223372036854775808L)"


def test_a_bare_keyword_is_never_taken_for_a_column() -> None:
    assert _text(current_date()) == "CURRENT_DATE()"
