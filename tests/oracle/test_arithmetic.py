"""The inferred types of arithmetic against Spark's analyzer, for every pair of types and for literals."""

from __future__ import annotations

import pytest

from ir.inference.arithmetic import arithmetic, negation
from ir.inference.call_context import CallContext
from ir.types import LogicalType
from tests.oracle.oracle import ALL_PAIRS, LITERALS, NOT_NULL, NULLABLE, Operand, Oracle, compare, pairs, question

WITH_LITERALS = [*pairs(LITERALS, NOT_NULL), *pairs(NOT_NULL, LITERALS), *pairs(LITERALS, LITERALS)]


def _result(operator: str, left: Operand, right: Operand) -> LogicalType | None:
    found = arithmetic(operator, CallContext.of(operator, (left.expression, right.expression)))
    return None if found is None else found[1]


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "%", "DIV"])
def test_binary_operators(oracle: Oracle, operator: str) -> None:
    template = f"{{}} {operator} {{}}"
    comparison = compare(
        oracle,
        [(question(template, a, b), lambda a=a, b=b: _result(operator, a, b)) for a, b in ALL_PAIRS + WITH_LITERALS],  # type: ignore[misc]
    )
    assert comparison.disagreements == []


def test_minus_sign(oracle: Oracle) -> None:
    comparison = compare(
        oracle,
        [
            (question("-{}", a), lambda a=a: negation(CallContext.of("-", (a.expression,))))  # type: ignore[misc]
            for a in NULLABLE + NOT_NULL
        ],
    )
    assert comparison.disagreements == []
