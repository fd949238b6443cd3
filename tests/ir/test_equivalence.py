"""Expressions that Spark considers equal, whatever the order of their operands."""

from __future__ import annotations

import datetime as dt
from functools import reduce

import pytest

from ir import types as t
from ir.calls import build_without_recognition, call
from ir.equivalence import Equivalents
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions import arithmetic as ar
from ir.functions import comparison as cmp
from ir.functions import logic
from ir.literals import literal

A, B, C = (FieldReference(name, t.INT, 0, index) for index, name in enumerate("abc"))
AT = FieldReference("at", t.TIMESTAMP, 0, 3)
WIDE = FieldReference("wide", t.BIGINT, 0, 4)
ONE_DAY, ONE_HOUR = literal(dt.timedelta(days=1)), literal(dt.timedelta(hours=1))


def plus(*operands: ResolvedExpression) -> ResolvedExpression:
    """Return a left-associative chain of additions."""
    return reduce(lambda left, right: call(ar.PLUS, (left, right)), operands)


@pytest.mark.parametrize(
    ("given", "other"),
    [
        (plus(A, B), plus(B, A)),
        (plus(A, B, C), plus(C, plus(B, A))),
        (call(ar.TIMES, (plus(A, B), C)), call(ar.TIMES, (C, plus(B, A)))),
        (call(cmp.LESS_THAN, (A, B)), call(cmp.GREATER_THAN, (B, A))),
        (call(cmp.LESS_THAN_OR_EQUAL, (A, B)), build_without_recognition(logic.NOT, (call(cmp.GREATER_THAN, (A, B)),))),
        (call(cmp.EQUALS, (A, B)), call(cmp.EQUALS, (B, A))),
        (call(cmp.IN, (A, B, C)), call(cmp.IN, (A, C, B))),
        (call(logic.COALESCE, (A, B)), call(logic.IF_NULL, (A, B))),
        (plus(AT, ONE_DAY), call(ar.PLUS, (ONE_DAY, AT))),
    ],
)
def test_the_same(given: ResolvedExpression, other: ResolvedExpression) -> None:
    assert given is not other
    assert Equivalents([given]).find(other) is given
    assert Equivalents([other]).find(given) is other


@pytest.mark.parametrize(
    ("given", "other"),
    [
        (plus(A, B), plus(A, C)),
        (plus(A, B), plus(A, B, B)),
        (call(ar.MINUS, (A, B)), call(ar.MINUS, (B, A))),
        (call(cmp.LESS_THAN, (A, B)), call(cmp.LESS_THAN, (B, A))),
        (call(cmp.IN, (A, B, C)), call(cmp.IN, (B, A, C))),
        # A cast between two additions is a separate operand: the sum of two INT may overflow where that of BIGINT does
        # not.
        (plus(A, B, WIDE), plus(WIDE, A, B)),
        # Intervals are added to a timestamp one after the other.
        (plus(AT, ONE_DAY, ONE_HOUR), plus(AT, ONE_HOUR, ONE_DAY)),
    ],
)
def test_not_the_same(given: ResolvedExpression, other: ResolvedExpression) -> None:
    assert Equivalents([given]).find(other) is None


def test_long_chains() -> None:
    fields = [FieldReference(f"c{number}", t.INT, 0, number) for number in range(5_000)]
    given, other = plus(*fields), plus(*reversed(fields))
    same = Equivalents([given])
    assert same.find(other) is given
    # A prefix of the chain is not a key.
    assert same.find(plus(*fields[:-1])) is None
