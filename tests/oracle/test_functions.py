"""Every call of every built-in function against Spark's analyzer: accepted or not, type and nullability."""

from __future__ import annotations

import pytest

from ir.errors import ValidationException
from ir.expressions import Call, ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.types import STRING
from tests.oracle.calls import argument_lists, call_or_none
from tests.oracle.oracle import Comparison, Oracle


def compare_calls(oracle: Oracle, definition: FunctionDefinition, distinct: bool = False) -> Comparison:
    """Ask Spark about the calls of a function; what is refused here is asked as well, in the same syntax."""
    calls = [(arguments, call_or_none(definition, arguments, distinct)) for arguments in argument_lists(definition)]
    texts = [_text(made or Call(definition, arguments, STRING, distinct)) for arguments, made in calls]
    asked = [text for text in texts if text is not None]
    types = dict(zip(asked, oracle.types(asked), strict=True))
    comparison = Comparison()
    for (arguments, made), text in zip(calls, texts, strict=True):
        if text is not None:
            kinds = ", ".join(argument.data_type.as_summary_string() for argument in arguments)
            comparison.add(f"{text} of ({kinds})", made.data_type if made is not None else None, types[text])
    return comparison


def _text(call: ResolvedExpression) -> str | None:
    """Return the text of a call, or None for one that is refused before its lowering, which makes calls, too."""
    try:
        return " ".join(call.as_serializable_string().split())
    except ValidationException:
        return None


@pytest.mark.parametrize("definition", BUILT_INS, ids=lambda d: d.name)
def test_calls(oracle: Oracle, definition: FunctionDefinition) -> None:
    assert compare_calls(oracle, definition).disagreements == []


@pytest.mark.parametrize("definition", [d for d in BUILT_INS if d.supports_distinct], ids=lambda d: d.name)
def test_distinct(oracle: Oracle, definition: FunctionDefinition) -> None:
    assert compare_calls(oracle, definition, distinct=True).disagreements == []
