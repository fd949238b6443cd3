"""String functions with collations against Spark's analyzer: columns, constants and casts, explicit and implicit.

The accepted arguments of a function come from ``tests.oracle.calls``; here some of their strings get collations.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ir.call_expressions import Call
from ir.calls import call
from ir.errors import ValidationException
from ir.expressions import Lambda, ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.collations import COLLATE, COLLATION
from ir.functions.collection import ROW
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.maps import STR_TO_MAP
from ir.functions.string import CONCAT, UPPER
from ir.inference.collations import has_text
from ir.inference.lambdas import LambdaArgument
from ir.literals import literal
from ir.operations.operation import TableReference
from ir.types import STRING, CharacterType, StringType
from tests.cases import chosen_cases, every
from tests.oracle.calls import argument_lists
from tests.oracle.oracle import COLLATED, COLLATIONS, Comparison, Oracle
from tests.oracle.test_functions import ASKED, Arguments, Question, call_or_none, placed, text_of, types_of, usual_order

pytestmark = pytest.mark.long

CALLS = 60
VARIANTS = 3
_NOT_VALUES = (SymbolLiteral, TypeLiteral, TableReference, Lambda)


def _takes_text(definition: FunctionDefinition) -> bool:
    inputs = definition.inference.inputs
    strategies = [inputs.strategy_for(position) for position in range(4)]
    return definition not in (COLLATE, COLLATION) and not any(isinstance(s, LambdaArgument) for s in strategies)


FUNCTIONS = [definition for definition in ASKED if definition.emission.in_spark and _takes_text(definition)]


def _with_collation(argument: ResolvedExpression, chosen: random.Random) -> ResolvedExpression:
    """Return a similar argument whose strings have some collation."""
    data_type = argument.data_type
    columns = COLLATED.get(data_type.as_nullable())
    if isinstance(data_type, CharacterType):
        collation = chosen.choice(COLLATIONS)
        assert columns is not None
        column = chosen.choice(columns)
        return chosen.choice(
            [
                column,
                column,
                call(COLLATE, (argument, literal(collation))),
                call(CAST, (argument, TypeLiteral(StringType(collation)))),
                call(CAST, (literal(5), TypeLiteral(StringType(collation)))),
                call(UPPER, (column,)),
                call(CONCAT, (column, literal("x"))),
                call(CAST, (column, TypeLiteral(STRING))),
            ]
        )
    return argument if columns is None else chosen.choice(columns)


def _hides_collations(definition: FunctionDefinition, first: ResolvedExpression) -> bool:
    """Whether Spark writes the call's type without collations, or fails to write it: for a field '', and for NULL."""
    if not isinstance(first, ValueLiteral) or definition not in (ROW, STR_TO_MAP):
        return False
    return first.is_null or first.value == ""


def _variants(definition: FunctionDefinition) -> Iterator[Arguments]:
    chosen = random.Random(definition.name)
    for arguments in argument_lists(definition, CALLS):
        if call_or_none(definition, arguments, False, usual_order(definition, arguments)) is None:
            continue
        if arguments and _hides_collations(definition, arguments[0]):
            continue
        texts = [i for i, a in enumerate(arguments) if not isinstance(a, _NOT_VALUES) and has_text(a.data_type)]
        for _ in range(VARIANTS if texts else 0):
            changed = set(chosen.sample(texts, chosen.randint(1, len(texts))))
            yield tuple([_with_collation(a, chosen) if i in changed else a for i, a in enumerate(arguments)])


def _has_no_winner(definition: FunctionDefinition, arguments: Arguments) -> bool:
    """Whether a call is rejected because no collation wins; some functions of Spark accept it, but fail at run time."""
    try:
        call(definition, arguments)
    except ValidationException as error:
        return error.condition == "INDETERMINATE_COLLATION_IN_EXPRESSION"
    return False


def questions(definition: FunctionDefinition) -> list[Question]:
    """Return the calls of a function to ask about."""
    found = []
    for arguments in dict.fromkeys(_variants(definition)):
        orders = usual_order(definition, arguments)
        made = call_or_none(definition, arguments, False, orders)
        if made is None and _has_no_winner(definition, arguments):
            continue
        text = text_of(placed(made or Call(definition, arguments, STRING, order_by=orders)))
        if text is not None:
            found.append(Question(definition, arguments, made, text))
    return found


@pytest.fixture(scope="module")
def asked(oracle: Oracle, request: pytest.FixtureRequest) -> dict[FunctionDefinition, Comparison]:
    """The comparisons of all functions whose tests run, made in one batch."""
    found = {function: questions(function) for function in chosen_cases(request, test_collations, "function")}
    types = types_of(oracle, [question for of_one in found.values() for question in of_one])
    compared = {}
    for definition, of_one in found.items():
        compared[definition] = Comparison()
        for question in of_one:
            question.compare(types[question.text], compared[definition])
    return compared


@every("function", lambda: FUNCTIONS, lambda function: function.name)
def test_collations(asked: dict[FunctionDefinition, Comparison], function: FunctionDefinition) -> None:
    assert asked[function].disagreements == []


def test_every_collation(oracle: Oracle) -> None:
    """The collations are those that Spark lists, by the names that it shows."""
    listed = [row[0] for row in oracle.spark.sql("SELECT name FROM collations()").collect()]
    assert [StringType(name.lower()).collation for name in listed] == listed
