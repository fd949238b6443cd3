"""Every call of every built-in function against Spark's analyzer: accepted or not, type and nullability."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import attrs
import pytest

from ir.call_expressions import Call, Over
from ir.calls import call, is_window_function
from ir.collations import BINARY_COLLATION
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, SortOrder, TypeLiteral, ValueLiteral
from ir.functions import comparison, context, json, variant
from ir.functions.aggregate import KEY_FUNCTIONS, MAX_BY, MIN_BY
from ir.functions.arithmetic import MINUS
from ir.functions.arrays import ELEMENT_AT, SEQUENCE
from ir.functions.builtins import BUILT_INS
from ir.functions.collations import COLLATE
from ir.functions.collection import AT, GET, ITEM
from ir.functions.comparison import LIKE_ALL, LIKE_ANY
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition, FunctionKind, takes_lambdas
from ir.functions.geospatial import ST_ASBINARY
from ir.functions.hashing import HASH, XXHASH64
from ir.functions.intervals import TIME_BUCKET
from ir.functions.json_aggregates import JSON_OBJECTAGG
from ir.functions.logic import AND, CASE, IF, IS_NOT_UNKNOWN, IS_UNKNOWN, OR, WHEN
from ir.functions.mathematics import BROUND, ROUND, TRY_SUBTRACT
from ir.functions.statistics import (
    APPROX_TOP_K,
    APPROX_TOP_K_ACCUMULATE,
    APPROX_TOP_K_COMBINE,
    APPROX_TOP_K_ESTIMATE,
)
from ir.functions.table import RANGE
from ir.functions.temporal import CURRENT_TIME, DATE_PART, LOCAL_TIME
from ir.functions.text_formats import TO_CSV, TO_JSON, TO_XML
from ir.functions.time_units import CEIL_TO, CONVERT_TZ, FLOOR_TO, TEMPORAL_OVERLAPS
from ir.functions.time_window import SLIDING_WINDOWS, TIME_WINDOWS
from ir.functions.window import NTH_VALUE
from ir.inference import CallContext
from ir.inference.arguments import is_constant
from ir.literals import literal
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
    StringType,
    VariantType,
)
from tests.cases import chosen_cases, every
from tests.oracle.calls import ALL_CALLS, ORDER, SOME_CALLS, VALUES, argument_lists, call_or_none, usual_order
from tests.oracle.oracle import VIEW, Comparison, Oracle, holds_shapes

# --- intended differences from Spark ---------------------------------------------------------------------------------

Arguments = tuple[ResolvedExpression, ...]
Applies = Callable[[FunctionDefinition, Arguments], bool]


@attrs.frozen
class Difference:
    """Calls that are rejected here on purpose although Spark accepts them or, if ``looser``, nullable on purpose."""

    why: str
    applies: Applies
    looser: bool = False


def _call(*functions: FunctionDefinition, where: Callable[[Arguments], bool]) -> Applies:
    return lambda definition, arguments: definition in functions and where(arguments)


def _has(kind: type[LogicalType]) -> Callable[[Arguments], bool]:
    return lambda arguments: any(isinstance(argument.data_type, kind) for argument in arguments)


def _hold_shapes(arguments: Arguments) -> bool:
    return any(holds_shapes(argument.data_type) for argument in arguments)


def _whole_number_beside_decimal_literal(arguments: Arguments) -> bool:
    literals = [a for a in arguments if isinstance(a, ValueLiteral) and isinstance(a.data_type, DecimalType)]
    return bool(literals) and _has(IntegralType)(arguments)


def _is_positive(argument: ResolvedExpression) -> bool:
    return isinstance(argument, ValueLiteral) and isinstance(argument.value, int) and argument.value > 0


def _whole_number_missing(arguments: Arguments) -> bool:
    return len(arguments) == 3 and not isinstance(arguments[2].data_type, IntegralType)


def _position_zero(arguments: Arguments) -> bool:
    collection, index = arguments
    return isinstance(collection.data_type, ArrayType) and isinstance(index, ValueLiteral) and index.value == 0


PATHS = (
    variant.VARIANT_GET,
    variant.TRY_VARIANT_GET,
    variant.VARIANT_INSERT,
    variant.TRY_VARIANT_INSERT,
    variant.VARIANT_SET,
    variant.TRY_VARIANT_SET,
    variant.VARIANT_ARRAY_APPEND,
    variant.TRY_VARIANT_ARRAY_APPEND,
    variant.VARIANT_DELETE,
)


def _wrong_path(arguments: Arguments) -> bool:
    texts = [a.value for a in arguments[1:] if isinstance(a, ValueLiteral) and isinstance(a.value, str)]
    return any(text == "$" or not variant.is_path(text) for text in texts)


def _unreadable_number(definition: FunctionDefinition, arguments: Arguments) -> bool:
    """Whether a string literal is rejected only because it is not a number."""
    inputs = definition.inference.inputs

    def accepts(given: Arguments) -> bool:
        try:
            return inputs.infer_inputs(CallContext.of(definition.name, given)) is not None
        except ValidationException:
            return False

    texts = [i for i, a in enumerate(arguments) if isinstance(a, ValueLiteral) and isinstance(a.value, str)]

    def readable(positions: Sequence[int]) -> Arguments:
        return tuple([literal("1") if i in positions else a for i, a in enumerate(arguments)])

    return not accepts(arguments) and any(accepts(readable(positions)) for positions in (*([i] for i in texts), texts))


def _plain(argument: ResolvedExpression, *, constants: bool) -> ResolvedExpression:
    """Return a string without its collation; with ``constants``, change only constants."""
    if not is_collated(argument) or (constants and not is_constant(argument)):
        return argument
    is_given = isinstance(argument, Call) and argument.function in (COLLATE, CAST)
    if isinstance(argument, ValueLiteral):
        return ValueLiteral(argument.value, argument.type_.evolve(collation=BINARY_COLLATION))
    inner = argument.arguments[0] if isinstance(argument, Call) and is_given else argument
    if isinstance(inner, ValueLiteral) and not isinstance(inner.data_type, CharacterType):
        return literal(str(inner.value))
    return inner if isinstance(inner.data_type, CharacterType) else call(CAST, (argument, TypeLiteral(STRING)))


def is_collated(argument: ResolvedExpression) -> bool:
    """Whether an argument is a string with a collation."""
    return isinstance(argument.data_type, StringType) and argument.data_type.has_collation


def _collated_constant(definition: FunctionDefinition, arguments: Arguments) -> bool:
    plain = tuple([_plain(argument, constants=True) for argument in arguments])
    return plain != arguments and call_or_none(definition, plain, False, usual_order(definition, plain)) is not None


def _collated_number(definition: FunctionDefinition, arguments: Arguments) -> bool:
    """Whether a collated string is read as a number by a function that gives its strings one collation."""
    plain = tuple([_plain(argument, constants=False) for argument in arguments])
    if not definition.collating.unites or definition.collating.groups > 1:
        return False
    types = definition.inference.inputs.infer_inputs(CallContext.of(definition.name, plain))
    if types is None:
        return False
    return any(is_collated(a) and not isinstance(t, CharacterType) for a, t in zip(arguments, types, strict=True))


def _other_patterns(arguments: Arguments) -> bool:
    return not all(isinstance(a, ValueLiteral) and isinstance(a.data_type, CharacterType) for a in arguments[1:])


DIFFERENCES = (
    Difference("a constant that Spark looks at as it plans is plain text, without a collation", _collated_constant),
    Difference("a text with a collation is not read as a number where other texts are", _collated_number),
    Difference(
        "of a date and a text with a collation, Spark reads the text as a number of days, and else as a date",
        _call(MINUS, TRY_SUBTRACT, where=lambda arguments: is_collated(arguments[1])),
    ),
    Difference("a text that is no number where one is wanted; the query would fail as it runs", _unreadable_number),
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
        "patterns that are no constant texts are compared with one by one, by LIKE",
        _call(LIKE_ANY, LIKE_ALL, where=_other_patterns),
    ),
    Difference(
        "no element has the position 0, and Spark fails as it runs",
        _call(AT, where=_position_zero),
    ),
    Difference(
        "Spark takes an element to be NOT NULL where the index may be NULL",
        _call(ITEM, ELEMENT_AT, where=lambda arguments: arguments[1].data_type.nullable),
        looser=True,
    ),
    Difference(
        "a path into a VARIANT that is none is refused; Spark fails as it runs",
        _call(*PATHS, where=_wrong_path),
    ),
    Difference(
        "JSON_VALUE returns the types that it has in Flink, and has a default of that very type",
        _call(json.JSON_VALUE, where=lambda arguments: True),
    ),
    Difference(
        "the precision is a whole number; Spark reads text and fractions as one",
        _call(CURRENT_TIME, LOCAL_TIME, where=lambda arguments: not _has(IntegralType)(arguments)),
    ),
    Difference(
        "the position is a whole number; Spark cuts fractions off",
        _call(NTH_VALUE, where=lambda arguments: not isinstance(arguments[1].data_type, IntegralType)),
    ),
    Difference(
        "the unit is a constant; of a NULL, Spark makes a NULL",
        _call(DATE_PART, where=lambda arguments: isinstance(arguments[0].data_type, NullType)),
    ),
    Difference(
        "a function that Spark has not takes what Flink's takes, whatever Spark's way to it would take",
        lambda definition, arguments: definition in (FLOOR_TO, CEIL_TO, TEMPORAL_OVERLAPS, CONVERT_TZ),
    ),
    Difference(
        "the length is a constant; of NULLs alone, Spark makes a NULL",
        _call(TIME_BUCKET, where=lambda arguments: isinstance(arguments[0].data_type, NullType)),
    ),
    Difference(
        "the bounds are whole numbers; Spark reads text and fractions as some",
        _call(RANGE, where=lambda arguments: not all(isinstance(a.data_type, IntegralType) for a in arguments)),
    ),
    Difference(
        "there is at least one partition; Spark fails as it runs",
        _call(RANGE, where=lambda arguments: len(arguments) == 4 and not _is_positive(arguments[3])),
    ),
    Difference(
        "the number of digits is a whole number; Spark reads text and fractions as one",
        _call(ROUND, BROUND, where=lambda arguments: not isinstance(arguments[1].data_type, IntegralType)),
    ),
    Difference(
        "the number of values is a whole number; Spark reads text and fractions as one",
        _call(MAX_BY, MIN_BY, where=_whole_number_missing),
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
        lambda definition, arguments: (
            definition.kind is FunctionKind.AGGREGATE and (_has(VariantType)(arguments) or _hold_shapes(arguments))
        ),
    ),
    Difference(
        "Spark has neither a hash of shapes nor a text, and fails as it plans the query or runs it",
        _call(HASH, XXHASH64, TO_JSON, TO_CSV, TO_XML, where=_hold_shapes),
    ),
    Difference(
        "the order of bytes is one of two; Spark fails as it runs",
        _call(ST_ASBINARY, where=lambda arguments: len(arguments) == 2 and isinstance(arguments[1], ValueLiteral)),
    ),
    Difference(
        "a key of a JSON object is text, in Flink's function, which Spark lacks; of other keys Spark makes text",
        _call(JSON_OBJECTAGG, where=lambda arguments: not isinstance(arguments[1].data_type, CharacterType)),
    ),
    Difference(
        "the query would fail as it runs: these constants are only looked at then",
        _call(
            APPROX_TOP_K,
            APPROX_TOP_K_ACCUMULATE,
            APPROX_TOP_K_COMBINE,
            APPROX_TOP_K_ESTIMATE,
            where=lambda arguments: len(arguments) > 1,
        ),
    ),
    Difference(
        "Spark prunes the branches around a condition that is the literal TRUE",
        _call(CASE, IF, WHEN, where=lambda arguments: any(a.as_summary_string() == "true" for a in arguments[::2])),
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
) -> Difference | None:
    """Return the intended difference that explains a call, if any."""
    if actual is None or inferred is actual:
        return None
    looser = inferred is not None and inferred is actual.as_nullable()
    kinds = [d for d in DIFFERENCES if d.looser == looser and (looser or inferred is None)]
    return next((d for d in kinds if d.applies(definition, arguments)), None)


# --- all calls -------------------------------------------------------------------------------------------------------


@attrs.frozen
class Question:
    """A call for Spark's analyzer, with its resolution by this library, which is None if the call is rejected."""

    definition: FunctionDefinition
    arguments: Arguments
    made: ResolvedExpression | None
    text: str

    def compare(self, actual: LogicalType | None, found: Comparison) -> None:
        """Record how the inferred type differs from Spark's."""
        inferred = None if self.made is None else self.made.data_type
        kinds = ", ".join(argument.data_type.as_summary_string() for argument in self.arguments)
        difference = _on_purpose(self.definition, self.arguments, inferred, actual)
        if difference is not None:
            found.on_purpose[difference.why] += 1
        found.add(f"{self.text} of ({kinds})", inferred if difference is None else actual, actual)


def questions(definition: FunctionDefinition, most: int, distinct: bool = False) -> list[Question]:
    """Return the calls of a function to ask about, including those that are rejected here."""
    found = []
    for arguments in argument_lists(definition, most):
        orders = usual_order(definition, arguments)
        made = call_or_none(definition, arguments, distinct, orders)
        if made is None and not definition.emission.in_spark:
            # Spark lacks the function, so a rejected call has no text for Spark.
            continue
        # An accepted call has a text; some rejected ones have none.
        written = Call(definition, arguments, STRING, distinct, order_by=orders)
        text = text_of(placed(written)) if made is None else _on_one_line(placed(made))
        if text is not None:
            found.append(Question(definition, arguments, made, text))
    return found


def types_of(oracle: Oracle, asked: Sequence[Question]) -> dict[str, LogicalType | None]:
    """Return Spark's type for each call, by its text."""
    texts = [question.text for question in asked]
    found = oracle.types(texts, [None if question.made is None else question.made.data_type for question in asked])
    return dict(zip(texts, found, strict=True))


Asked = tuple[FunctionDefinition, bool]


def compare_all(oracle: Oracle, functions: Sequence[Asked], most: int) -> dict[Asked, Comparison]:
    """Compare the calls of functions, each with or without DISTINCT, in one batch."""
    asked = {function: questions(function[0], most, function[1]) for function in functions}
    types = types_of(oracle, [question for of_one in asked.values() for question in of_one])
    compared: dict[Asked, Comparison] = {}
    for function, of_one in asked.items():
        compared[function] = Comparison()
        for question in of_one:
            question.compare(types[question.text], compared[function])
    return compared


def placed(call: ResolvedExpression) -> ResolvedExpression:
    """Return a call in a valid place: the call of a window function gets a window."""
    return Over(call, (), (ORDER,)) if isinstance(call, Call) and is_window_function(call) else call


def _on_one_line(call: ResolvedExpression) -> str:
    return " ".join(call.as_serializable_string().split())


def text_of(call: ResolvedExpression) -> str | None:
    """Return the text of a call; None if the call was rejected and cannot be written."""
    try:
        return _on_one_line(call)
    except (ValidationException, AssertionError):
        return None


_TABLE_FUNCTIONS = [d for d in BUILT_INS if d.kind is FunctionKind.TABLE]
MOST_TABLE_CALLS = 200
# Spark rejects some calls during function lookup, and each such rejection is slow.
MOST_REFUSED_TABLE_CALLS = 100
# REFLECT asks the JVM whether it has a class and a method.
OF_THE_JVM = (context.REFLECT, context.TRY_REFLECT)
# GROUPING accepts only keys of grouping sets, so no query can contain many calls of it; test programs cover it. Time
# windows are asked about one at a time, in test_time_windows, and table functions below.
ASKED = [
    d for d in BUILT_INS if d not in (*KEY_FUNCTIONS, *TIME_WINDOWS, SLIDING_WINDOWS, *_TABLE_FUNCTIONS, *OF_THE_JVM)
]


# If only a few functions are selected, as during their development, all their calls are asked about; otherwise a
# sample.
MOST_IN_FULL = 12


@pytest.fixture(scope="session")
def compared(oracle: Oracle, request: pytest.FixtureRequest) -> dict[Asked, Comparison]:
    """The comparisons of all functions whose tests run, asked in one batch, which is far faster than one by one."""
    chosen = [(function, False) for function in chosen_cases(request, test_calls, "function")]
    chosen += [(function, True) for function in chosen_cases(request, test_distinct, "function")]
    return compare_all(oracle, chosen, ALL_CALLS if len(chosen) <= MOST_IN_FULL else SOME_CALLS)


@every("function", lambda: ASKED, lambda function: function.name)
def test_calls(compared: dict[Asked, Comparison], function: FunctionDefinition) -> None:
    assert compared[function, False].asked > 0
    assert compared[function, False].disagreements == []


@every("function", lambda: [d for d in ASKED if d.aggregation.supports_distinct], lambda function: function.name)
def test_distinct(compared: dict[Asked, Comparison], function: FunctionDefinition) -> None:
    assert compared[function, True].disagreements == []


_ORDERED = [d for d in BUILT_INS if d.aggregation.within_group is not None]


@pytest.mark.parametrize("definition", _ORDERED, ids=lambda d: d.name)
def test_orders(oracle: Oracle, definition: FunctionDefinition) -> None:
    """Use every type as a sort key, with arguments that the function accepts."""
    order = definition.aggregation.within_group
    assert order is not None
    lists = [()] if order.instead_of_arguments else argument_lists(definition, 40)
    usual = next(given for given in lists if call_or_none(definition, given, order_by=(ORDER,)) is not None)
    asked = []
    for key in [given for kind in VALUES for given in kind]:
        by = SortOrder(key, False, True)
        made = call_or_none(definition, usual, order_by=(by,))
        text = text_of(made or Call(definition, usual, STRING, order_by=(by,)))
        assert text is not None
        asked.append(Question(definition, (*usual, key), made, text))
    found = Comparison()
    types = types_of(oracle, asked)
    for question in asked:
        question.compare(types[question.text], found)
    assert found.disagreements == []


@pytest.mark.parametrize("definition", _TABLE_FUNCTIONS, ids=lambda d: d.name)
def test_table_functions(oracle: Oracle, definition: FunctionDefinition) -> None:
    """A generator must be alone in a SELECT, so each call is in its own subquery, whose row type is compared."""
    calls = [(arguments, call_or_none(definition, arguments)) for arguments in argument_lists(definition)]
    random.Random(definition.name).shuffle(calls)
    accepted = [asked for asked in calls if asked[1] is not None][:MOST_TABLE_CALLS]
    refused = [asked for asked in calls if asked[1] is None][:MOST_REFUSED_TABLE_CALLS]
    asked = [
        (arguments, made, text_of(Call(definition, arguments, STRING)) if made is None else _on_one_line(made))
        for arguments, made in (*accepted, *refused)
        if made is not None or definition.emission.in_spark
    ]
    rows = oracle.types(
        [f"(SELECT STRUCT(made.*) FROM {VIEW} JOIN LATERAL {text} AS made)" for _, _, text in asked],
        # Each row comes from a scalar subquery, which is nullable.
        [None if made is None else made.data_type.as_nullable() for _, made, _ in asked],
    )
    found = Comparison()
    for (arguments, made, text), row in zip(asked, rows, strict=True):
        actual = None if row is None else row.not_null()
        inferred = None if made is None else made.data_type
        agreed = inferred is None and _on_purpose(definition, arguments, inferred, actual)
        kinds = ", ".join(argument.data_type.as_summary_string() for argument in arguments)
        found.add(f"{text} of ({kinds})", actual if agreed else inferred, actual)
    assert found.asked > 0
    assert found.disagreements == []
