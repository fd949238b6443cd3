"""The inferred types of aggregate functions against Spark's analyzer, over every type."""

from __future__ import annotations

from functools import partial

import pytest

from ir.inference.aggregates import aggregate
from ir.inference.call_context import CallContext
from ir.types import LogicalType, VariantType
from tests.oracle.oracle import ALL_PAIRS, LITERALS, NOT_NULL, NULLABLE, Operand, Oracle, compare, question

FUNCTIONS = [
    "count",
    "sum",
    "avg",
    "min",
    "max",
    "stddev_pop",
    "stddev_samp",
    "var_pop",
    "var_samp",
    "first_value",
    "last_value",
    "collect_list",
    "array_agg",
    "listagg",
]


def _result(name: str, distinct: bool, *operands: Operand) -> LogicalType | None:
    context = CallContext.of(name, tuple(o.expression for o in operands), distinct=distinct)
    found = aggregate(name, context)
    return None if found is None else found[1]


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_aggregates(oracle: Oracle, name: str, distinct: bool) -> None:
    template = f"{name}({'DISTINCT ' if distinct else ''}{{}})"
    operands = [*NULLABLE, *NOT_NULL, *LITERALS]
    if distinct:
        # The analyzer accepts VARIANT there, but the query fails as it runs, unless the function reads it as text.
        operands = [a for a in operands if not isinstance(a.data_type, VariantType)]
    questions = [(question(template, a), partial(_result, name, distinct, a)) for a in operands]
    assert compare(oracle, questions).disagreements == []


def test_count_of_several(oracle: Oracle) -> None:
    questions = [(question("count({}, {})", a, b), partial(_result, "count", False, a, b)) for a, b in ALL_PAIRS]
    assert compare(oracle, questions).disagreements == []
