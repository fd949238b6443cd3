"""Calls of every built-in function with arguments of every type, and their texts for Spark.

The arguments are those of ``tests.oracle``. Only calls that this library accepts are asked about: their types are those
of the newest Spark, which the tests of that folder show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from ir.dialects.call_traits import call_traits
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.types import LogicalType
from tests.oracle.oracle import COLLATED, NOT_NULL, NULLABLE, VIEW
from tests.oracle.test_functions import OF_THE_JVM, questions

CALLS = 300
"""About how many calls of each function."""


@attrs.frozen
class Asked:
    """A call, its text over the view of all types, and what may decide whether a version accepts it.

    Attributes:
        function: the name of the definition.
        text: the text for Spark, as an expression over the view.
        traits: see ``ir.dialects.call_traits``.
        columns: the columns of the view in the text.
        in_spark: whether Spark has the function; otherwise the text is its lowered form.
    """

    function: str
    text: str
    traits: frozenset[str]
    columns: frozenset[str]
    in_spark: bool


_COLUMN = re.compile(r"`([cnt]\d+)`")


def _over_view(definition: FunctionDefinition, text: str) -> str:
    """Return a call as an expression over the view; table functions are called in a subquery."""
    if definition.kind is FunctionKind.TABLE:
        return f"(SELECT STRUCT(made.*) FROM {VIEW} JOIN LATERAL {text} AS made)"
    return text


def calls(definition: FunctionDefinition, most: int = CALLS) -> Iterator[Asked]:
    """Yield the calls of a function to ask about."""
    for question in questions(definition, most):
        if question.made is not None:
            yield Asked(
                definition.name,
                _over_view(definition, question.text),
                frozenset(call_traits(question.arguments)),
                frozenset(_COLUMN.findall(question.text)),
                definition.emission.in_spark,
            )


def all_calls(most: int = CALLS) -> list[Asked]:
    """Return the calls of all functions."""
    # REFLECT asks the JVM whether it has a class and a method.
    return [asked for d in BUILT_INS if d not in OF_THE_JVM for asked in calls(d, most)]


def columns() -> dict[str, LogicalType]:
    """Return the columns of the view of all types."""
    found = {operand.text: operand.data_type for operand in (*NULLABLE, *NOT_NULL)}
    return found | {column.name: column.type_ for of_type in COLLATED.values() for column in of_type}
