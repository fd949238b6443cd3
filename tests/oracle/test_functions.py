"""Every call of every built-in function against Spark's analyzer: accepted or not, type and nullability."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import attrs
import pytest

from ir.errors import ValidationException
from ir.expressions import Call, Over, ResolvedExpression, ValueLiteral
from ir.functions import comparison
from ir.functions.aggregate import KEY_FUNCTIONS
from ir.functions.arrays import ELEMENT_AT, SEQUENCE
from ir.functions.builtins import BUILT_INS
from ir.functions.calls import is_window_function
from ir.functions.collection import AT, ELEMENT, GET
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.logic import AND, CASE, IS_NOT_UNKNOWN, IS_UNKNOWN, OR
from ir.functions.table import RANGE
from ir.functions.temporal import CURRENT_TIME
from ir.functions.time_window import TIME_WINDOWS
from ir.functions.window import NTH_VALUE
from ir.resolution.lambdas import takes_lambdas
from ir.types import (
    STRING,
    ArrayType,
    BooleanType,
    CharacterType,
    DecimalType,
    IntegralType,
    IntervalType,
    LogicalType,
    NullType,
    RowType,
    VariantType,
)
from tests.oracle.calls import ALL_CALLS, ORDER, SOME_CALLS, argument_lists, call_or_none
from tests.oracle.oracle import VIEW, Comparison, Oracle

# --- where we differ from Spark on purpose ---------------------------------------------------------------------------

Arguments = tuple[ResolvedExpression, ...]
Applies = Callable[[FunctionDefinition, Arguments], bool]


@attrs.frozen
class Difference:
    """Calls that are refused here although Spark accepts them or, if ``looser``, nullable here but not in Spark."""

    why: str
    applies: Applies
    looser: bool = False


def _call(*functions: FunctionDefinition, where: Callable[[Arguments], bool]) -> Applies:
    return lambda definition, arguments: definition in functions and where(arguments)


def _has(kind: type[LogicalType]) -> Callable[[Arguments], bool]:
    return lambda arguments: any(isinstance(argument.data_type, kind) for argument in arguments)


def _whole_number_beside_decimal_literal(arguments: Arguments) -> bool:
    literals = [a for a in arguments if isinstance(a, ValueLiteral) and isinstance(a.data_type, DecimalType)]
    return bool(literals) and _has(IntegralType)(arguments)


def _position_zero(arguments: Arguments) -> bool:
    collection, index = arguments
    return isinstance(collection.data_type, ArrayType) and isinstance(index, ValueLiteral) and index.value == 0


DIFFERENCES = (
    Difference(
        "whether text is read as a condition depends on how a long chain is grouped",
        _call(AND, OR, where=_has(CharacterType)),
    ),
    Difference(
        "of a column of any type IS UNKNOWN means IS NULL, but not of a constant; Spark forgets to check the type",
        _call(IS_UNKNOWN, IS_NOT_UNKNOWN, where=lambda arguments: not _has(BooleanType)(arguments)),
    ),
    Difference(
        "a field of a map is at(key), and one of an array of rows is an array",
        _call(GET, where=lambda arguments: not isinstance(arguments[0].data_type, RowType)),
    ),
    Difference(
        "no element has the position 0, and Spark fails as it runs",
        _call(AT, where=_position_zero),
    ),
    Difference(
        "Spark takes an element to be NOT NULL where the index may be NULL",
        _call(ELEMENT, ELEMENT_AT, where=lambda arguments: arguments[1].data_type.nullable),
        looser=True,
    ),
    Difference(
        "the precision is a whole number; Spark reads text and fractions as one",
        _call(CURRENT_TIME, where=lambda arguments: not _has(IntegralType)(arguments)),
    ),
    Difference(
        "the position is a whole number; Spark cuts fractions off",
        _call(NTH_VALUE, where=lambda arguments: not isinstance(arguments[1].data_type, IntegralType)),
    ),
    Difference(
        "the bounds are whole numbers; Spark reads text and fractions as some",
        _call(RANGE, where=lambda arguments: not all(isinstance(a.data_type, IntegralType) for a in arguments)),
    ),
    Difference(
        "Spark overlooks an interval beside whole numbers, and fails as it runs",
        _call(SEQUENCE, where=_has(IntervalType)),
    ),
    Difference(
        "Spark takes NULL for a collection only where a value stands in the place of the lambda",
        lambda definition, arguments: takes_lambdas(definition) and _has(NullType)(arguments[:2]),
    ),
    Difference(
        "the query would fail as it runs",
        lambda definition, arguments: definition.kind is FunctionKind.AGGREGATE and _has(VariantType)(arguments),
    ),
    Difference(
        "Spark prunes the branches around a condition that is the literal TRUE",
        _call(CASE, where=lambda arguments: any(a.as_summary_string() == "true" for a in arguments[::2])),
        looser=True,
    ),
    Difference(
        "Spark compares the whole number with the literal's whole part, or knows the answer",
        _call(
            comparison.GREATER_THAN,
            comparison.GREATER_THAN_OR_EQUAL,
            comparison.LESS_THAN,
            comparison.LESS_THAN_OR_EQUAL,
            comparison.BETWEEN,
            comparison.NOT_BETWEEN,
            where=_whole_number_beside_decimal_literal,
        ),
        looser=True,
    ),
)


def _on_purpose(
    definition: FunctionDefinition, arguments: Arguments, inferred: LogicalType | None, actual: LogicalType | None
) -> bool:
    if actual is None:
        return False
    looser = inferred is not None and inferred is actual.as_nullable()
    kinds = [d for d in DIFFERENCES if d.looser == looser and (looser or inferred is None)]
    return any(d.applies(definition, arguments) for d in kinds)


# --- all calls -------------------------------------------------------------------------------------------------------


@attrs.frozen
class Question:
    """A call that Spark's analyzer is asked about, with what is made of it here: None where it is refused."""

    definition: FunctionDefinition
    arguments: Arguments
    made: ResolvedExpression | None
    text: str

    def compare(self, actual: LogicalType | None, found: Comparison) -> None:
        """Note how what is inferred differs from what Spark has."""
        inferred = None if self.made is None else self.made.data_type
        kinds = ", ".join(argument.data_type.as_summary_string() for argument in self.arguments)
        agreed = _on_purpose(self.definition, self.arguments, inferred, actual)
        found.add(f"{self.text} of ({kinds})", actual if agreed else inferred, actual)


def questions(definition: FunctionDefinition, most: int, distinct: bool = False) -> list[Question]:
    """Return the calls of a function to ask about; what is refused here is asked as well, in the same syntax."""
    found = []
    for arguments in argument_lists(definition, most):
        made = call_or_none(definition, arguments, distinct)
        text = _text(_placed(made or Call(definition, arguments, STRING, distinct)))
        if text is not None:
            found.append(Question(definition, arguments, made, text))
    return found


Asked = tuple[FunctionDefinition, bool]


def compare_all(oracle: Oracle, functions: Sequence[Asked], most: int) -> dict[Asked, Comparison]:
    """Compare the calls of functions, each with DISTINCT or without, as one long list of questions."""
    asked = {function: questions(function[0], most, function[1]) for function in functions}
    texts = [question.text for of_one in asked.values() for question in of_one]
    types = dict(zip(texts, oracle.types(texts), strict=True))
    compared: dict[Asked, Comparison] = {}
    for function, of_one in asked.items():
        compared[function] = Comparison()
        for question in of_one:
            question.compare(types[question.text], compared[function])
    return compared


def _placed(call: ResolvedExpression) -> ResolvedExpression:
    """Return a call where it may stand: one of a window function over a window."""
    return Over(call, (), (ORDER,)) if isinstance(call, Call) and is_window_function(call) else call


def _text(call: ResolvedExpression) -> str | None:
    """Return the text of a call; None for one that was refused and that cannot be written, either."""
    try:
        return " ".join(call.as_serializable_string().split())
    except (ValidationException, AssertionError):
        return None


_TABLE_FUNCTIONS = [d for d in BUILT_INS if d.kind is FunctionKind.TABLE]
MOST_TABLE_CALLS = 200
# Where Spark refuses a call already as it looks up the function, each one takes its time.
MOST_REFUSED_TABLE_CALLS = 100
# GROUPING is only of keys of grouping sets, so that no query can hold many calls of it; test programs do.
# Windows over time are asked about one at a time, in test_time_windows, and table functions below.
ASKED = [d for d in BUILT_INS if d not in (*KEY_FUNCTIONS, *TIME_WINDOWS, *_TABLE_FUNCTIONS)]


# A few functions are asked about in full, as while one of them is made; of all of them, a sample.
MOST_IN_FULL = 12


@pytest.fixture(scope="session")
def compared(oracle: Oracle, request: pytest.FixtureRequest) -> dict[Asked, Comparison]:
    """The comparison of every function whose test is run: asked together, which is far faster than one by one."""
    chosen: dict[Asked, None] = {}
    for item in request.session.items:
        if isinstance(item, pytest.Function) and item.function in (test_calls, test_distinct):
            chosen[item.callspec.params["definition"], item.function is test_distinct] = None
    return compare_all(oracle, list(chosen), ALL_CALLS if len(chosen) <= MOST_IN_FULL else SOME_CALLS)


@pytest.mark.parametrize("definition", ASKED, ids=lambda d: d.name)
def test_calls(compared: dict[Asked, Comparison], definition: FunctionDefinition) -> None:
    assert compared[definition, False].asked > 0
    assert compared[definition, False].disagreements == []


@pytest.mark.parametrize("definition", [d for d in ASKED if d.supports_distinct], ids=lambda d: d.name)
def test_distinct(compared: dict[Asked, Comparison], definition: FunctionDefinition) -> None:
    assert compared[definition, True].disagreements == []


@pytest.mark.parametrize("definition", _TABLE_FUNCTIONS, ids=lambda d: d.name)
def test_table_functions(oracle: Oracle, definition: FunctionDefinition) -> None:
    """A generator is alone in a SELECT, so that each call is in a subquery of its own, whose row is its type."""
    calls = [(arguments, call_or_none(definition, arguments)) for arguments in argument_lists(definition)]
    random.Random(definition.name).shuffle(calls)
    accepted = [asked for asked in calls if asked[1] is not None][:MOST_TABLE_CALLS]
    refused = [asked for asked in calls if asked[1] is None][:MOST_REFUSED_TABLE_CALLS]
    asked = [
        (arguments, made, _text(made or Call(definition, arguments, STRING)))
        for arguments, made in (*accepted, *refused)
        if made is not None or definition.in_spark
    ]
    rows = oracle.types([f"(SELECT STRUCT(made.*) FROM {VIEW} JOIN LATERAL {text} AS made)" for _, _, text in asked])
    found = Comparison()
    for (arguments, made, text), row in zip(asked, rows, strict=True):
        actual = None if row is None else row.not_null()
        inferred = None if made is None else made.data_type
        agreed = inferred is None and _on_purpose(definition, arguments, inferred, actual)
        kinds = ", ".join(argument.data_type.as_summary_string() for argument in arguments)
        found.add(f"{text} of ({kinds})", actual if agreed else inferred, actual)
    assert found.asked > 0
    assert found.disagreements == []
