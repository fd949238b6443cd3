"""Every call of every built-in function against Spark's analyzer: accepted or not, type and nullability."""

from __future__ import annotations

import pytest

from ir.expressions import Call, ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.types import STRING
from tests.oracle.calls import Arguments, argument_lists, call_or_none
from tests.oracle.oracle import Comparison, Oracle


def compare_calls(oracle: Oracle, definition: FunctionDefinition, distinct: bool = False) -> Comparison:
    """Ask Spark about the calls of a function; what is refused here is asked as well, in the same syntax."""
    calls = [(arguments, call_or_none(definition, arguments, distinct)) for arguments in argument_lists(definition)]
    texts = [_text(definition, arguments, made, distinct) for arguments, made in calls]
    comparison = Comparison()
    for (arguments, made), text, actual in zip(calls, texts, oracle.types(texts), strict=True):
        types = ", ".join(argument.data_type.as_summary_string() for argument in arguments)
        comparison.add(f"{text} of ({types})", made.data_type if made is not None else None, actual)
    return comparison


def _text(
    definition: FunctionDefinition, arguments: Arguments, made: ResolvedExpression | None, distinct: bool
) -> str:
    unchecked = Call(definition, arguments, STRING, distinct)
    return " ".join((made or unchecked).as_serializable_string().split())


@pytest.mark.parametrize("definition", BUILT_INS, ids=lambda d: d.name)
def test_calls(oracle: Oracle, definition: FunctionDefinition) -> None:
    assert compare_calls(oracle, definition).disagreements == []


@pytest.mark.parametrize("definition", [d for d in BUILT_INS if d.supports_distinct], ids=lambda d: d.name)
def test_distinct(oracle: Oracle, definition: FunctionDefinition) -> None:
    assert compare_calls(oracle, definition, distinct=True).disagreements == []
