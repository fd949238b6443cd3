"""Logic, conditions and the replacement of NULL."""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.casts import implicit_cast, least_common_type
from ir.dialects.syntax import OwnSyntax, Precedence, chain_syntax, predicate, special
from ir.expressions import ResolvedExpression, TypeLiteral
from ir.functions import constant_values
from ir.functions.builder import as_function, as_method, as_property, scalar
from ir.functions.comparison import IS_NOT_DISTINCT_FROM, IS_NOT_NULL
from ir.functions.conversion import CAST
from ir.functions.definition import Canonical, CollationRules, Construct, FunctionDefinition, Mismatch, Shown
from ir.inference import CallContext
from ir.inference.arguments import BOOLEAN, TRUTH, Family
from ir.inference.inputs import Common, Computed, cast_to, find_comparison_type, positional, varying
from ir.inference.results import Computed as ComputedResult
from ir.inference.results import never_null, nullable_if_arguments
from ir.inference.type_inference import ArgumentTypeStrategy
from ir.light_typing import TYPE_CHECKING
from ir.literals import literal
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts

_TRUTH = nullable_if_arguments(t.BOOLEAN)
_CONDITION = Family("BOOLEAN", (t.BooleanType, t.NullType))


class _InChain:
    """An operand of AND or OR: a condition, or a string that Spark casts to BOOLEAN beside a condition.

    Spark halves a chain until only pairs are left. It casts a string whose partner is a condition or a part of the
    chain. It rejects a pair of two strings, and a string with NULL. Source: ``visitLogicalBinary`` of Spark's
    ``AstBuilder``.
    """

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = context.argument_types[position]
        if not context.is_value(position):
            return None
        if isinstance(given, (t.BooleanType, t.NullType)):
            return given
        if not isinstance(given, t.CharacterType):
            return None
        partner = _partner(position, len(context))
        if partner is not None and not isinstance(context.argument_types[partner], t.BooleanType):
            return None
        return implicit_cast(given, t.BOOLEAN)

    def describe(self) -> str:
        return "<BOOLEAN>"


def _partner(position: int, count: int) -> int | None:
    """Return the operand that Spark pairs with an operand of a chain, None if the partner is a part of the chain."""
    first, last = 0, count - 1
    while last - first > 1:
        middle = first + (last - first) // 2
        first, last = (first, middle) if position <= middle else (middle + 1, last)
    return None if first == last else first + last - position


def _cast_conditions(
    conditions: tuple[ResolvedExpression, ...], chain: FunctionDefinition
) -> ResolvedExpression | None:
    """Cast the strings in a chain explicitly, so that they stay conditions however the chain is split."""
    if not any(isinstance(condition.data_type, t.CharacterType) for condition in conditions):
        return None
    cast = [
        calls.call(CAST, (c, TypeLiteral(t.BOOLEAN))) if isinstance(c.data_type, t.CharacterType) else c
        for c in conditions
    ]
    return calls.call(chain, cast)


_CONDITIONS = varying(_InChain(), 2)


def _mismatch_of_operand(context: CallContext, position: int) -> str | None:
    if len(context) != 2:
        return None
    first, second = context.argument_types
    is_one = first.same_type(second) or t.NullType in (type(first), type(second))
    return "BINARY_OP_WRONG_TYPE" if is_one else "BINARY_OP_DIFF_TYPES"


AND: FunctionDefinition = scalar(
    "and",
    _CONDITIONS,
    _TRUTH,
    sql="AND",
    is_chain=True,
    canonical=lambda conditions, call: _cast_conditions(conditions, AND),
    syntax=chain_syntax("AND", Precedence.AND),
    doc="Whether all conditions are TRUE.",
    example=("TRUE AND FALSE", "FALSE"),
    folding=constant_values.CONJUNCTION,
    mismatch=Mismatch(of_argument=_mismatch_of_operand),
)
OR: FunctionDefinition = scalar(
    "or",
    _CONDITIONS,
    _TRUTH,
    sql="OR",
    is_chain=True,
    canonical=lambda conditions, call: _cast_conditions(conditions, OR),
    syntax=chain_syntax("OR", Precedence.OR),
    doc="Whether at least one condition is TRUE.",
    example=("TRUE OR FALSE", "TRUE"),
    folding=constant_values.DISJUNCTION,
    mismatch=Mismatch(of_argument=_mismatch_of_operand),
)
NOT = scalar(
    "not",
    positional(BOOLEAN),
    _TRUTH,
    sql="NOT",
    syntax=special(OwnSyntax.NOT, Precedence.NOT),
    doc="The negation of a condition; NULL if the condition is NULL.",
    example=("NOT TRUE", "FALSE"),
    folding=constant_values.NOT,
)


def _truth_test(
    name: str,
    keyword: str,
    fluent_name: str,
    doc: str,
    example: tuple[str, str],
    condition: ArgumentTypeStrategy = BOOLEAN,
    **facts: Unpack[Facts],
) -> FunctionDefinition:
    return scalar(
        name,
        positional(condition),
        never_null(t.BOOLEAN),
        sql=keyword,
        syntax=predicate("{0} " + keyword),
        fluent=as_property(fluent_name),
        doc=doc,
        example=example,
        **facts,
    )


IS_TRUE = _truth_test(
    "isTrue",
    "IS TRUE",
    "is_true",
    "Whether a condition is TRUE; never NULL.",
    ("TRUE IS TRUE", "TRUE"),
    mismatch=Mismatch(alone="BINARY_OP_DIFF_TYPES", together="BINARY_OP_DIFF_TYPES"),
)
IS_NOT_TRUE = _truth_test(
    "isNotTrue",
    "IS NOT TRUE",
    "is_not_true",
    "Whether a condition is FALSE or NULL.",
    ("TRUE IS NOT TRUE", "FALSE"),
    mismatch=Mismatch(alone="BINARY_OP_DIFF_TYPES", together="BINARY_OP_DIFF_TYPES"),
)
IS_FALSE = _truth_test(
    "isFalse",
    "IS FALSE",
    "is_false",
    "Whether a condition is FALSE; never NULL.",
    ("FALSE IS FALSE", "TRUE"),
    mismatch=Mismatch(alone="BINARY_OP_DIFF_TYPES", together="BINARY_OP_DIFF_TYPES"),
)
IS_NOT_FALSE = _truth_test(
    "isNotFalse",
    "IS NOT FALSE",
    "is_not_false",
    "Whether a condition is TRUE or NULL.",
    ("TRUE IS NOT FALSE", "TRUE"),
    mismatch=Mismatch(alone="BINARY_OP_DIFF_TYPES", together="BINARY_OP_DIFF_TYPES"),
)
_TRUTH_OR_NULL = Family("BOOLEAN", (t.BooleanType, t.NullType))
IS_UNKNOWN = _truth_test(
    "isUnknown",
    "IS UNKNOWN",
    "is_unknown",
    "Whether a condition is NULL.",
    ("TRUE IS UNKNOWN", "FALSE"),
    _TRUTH_OR_NULL,
)
IS_NOT_UNKNOWN = _truth_test(
    "isNotUnknown",
    "IS NOT UNKNOWN",
    "is_not_unknown",
    "Whether a condition is not NULL.",
    ("TRUE IS NOT UNKNOWN", "TRUE"),
    _TRUTH_OR_NULL,
)


def _branches(context: CallContext) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the positions of the conditions and those of the results of a CASE."""
    pairs = len(context) // 2
    conditions = tuple(range(0, 2 * pairs, 2))
    results = tuple(range(1, 2 * pairs, 2)) + ((len(context) - 1,) if len(context) % 2 else ())
    return conditions, results


def _case_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    conditions, results = _branches(context)
    types = list(context.argument_types)
    for position in conditions:
        condition = TRUTH.infer_argument(context, position)
        if condition is None:
            return None
        types[position] = condition
    common = least_common_type([types[position] for position in results])
    if common is None:
        return None
    for position in results:
        types[position] = cast_to(types[position], common)
    return tuple(types)


def _case_result(context: CallContext) -> LogicalType:
    _, results = _branches(context)
    first = context.argument_types[results[0]]
    has_else = len(context) % 2 == 1
    return first.with_nullability(not has_else or any(context.argument_types[i].nullable for i in results))


CASE = scalar(
    "ifThenElse",
    Computed(2, None, "BOOLEAN, ANY", _case_types, ("<BOOLEAN>, <ANY>, ...[, <ANY>]",), (TRUTH,)),
    ComputedResult(_case_result),
    sql="CASE",
    syntax=special(OwnSyntax.CASE),
    fluent=as_function("if_then_else", "condition if_true if_false") + as_method("then", "if_true if_false"),
    doc="The result of the first condition that is TRUE; otherwise the ELSE result, or NULL without ELSE.",
    example=("CASE WHEN 1 > 2 THEN 'a' ELSE 'b' END", "'b'"),
    folding=constant_values.CASE,
    guards=True,
    collating=CollationRules(),
)


def _infer_first_not_null(context: CallContext) -> LogicalType:
    first = context.argument_types[0]
    return first.with_nullability(all(argument.nullable for argument in context.argument_types))


COALESCE = scalar(
    "COALESCE",
    Common(1, None, "ANY"),
    ComputedResult(_infer_first_not_null),
    sql="COALESCE",
    fluent=as_function("coalesce", "first *others"),
    doc="The first value that is not NULL; NULL if all values are NULL.",
    example=("COALESCE(NULL, 1)", "1"),
    folding=constant_values.FIRST_VALUE,
    guards=True,
    collating=CollationRules(),
)
IF_NULL = scalar(
    "IFNULL",
    Common(2, 2, "ANY"),
    ComputedResult(_infer_first_not_null),
    sql="IFNULL",
    also=("NVL",),
    fluent=as_method("if_null", "null_replacement"),
    doc="The value, or the replacement if the value is NULL.",
    example=("IFNULL(NULL, 1)", "1"),
    guards=True,
    collating=CollationRules(),
    shown=Shown(as_written=True),
)


def _build_case(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    return call(CASE, arguments)


# IF becomes a CASE, as does the fluent if_then_else.
def _infer_if_inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
    common = least_common_type(context.argument_types[1:])
    if common is None:
        return None
    condition, *results = context.argument_types
    return condition, *[cast_to(given, common) for given in results]


def _build_case_of_if(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    condition, *results = arguments
    if isinstance(condition.data_type, t.NullType):
        # IF accepts an untyped NULL as a condition, CASE does not.
        condition = call(CAST, (condition, TypeLiteral(t.BOOLEAN)))
    return call(CASE, (condition, *results))


IF = scalar(
    "IF",
    Computed(3, 3, "BOOLEAN, ANY, ANY", _infer_if_inputs, ("<BOOLEAN>, <ANY>, <ANY>",), (_CONDITION,)),
    ComputedResult(_case_result),
    sql="IF",
    canonical=_build_case_of_if,
    doc="The second value if the condition is TRUE, otherwise the third: ``CASE WHEN … THEN … ELSE … END``.",
    example=("IF(1 > 2, 'a', 'b')", "'b'"),
    guards=True,
    collating=CollationRules(),
)
WHEN = scalar(
    "when",
    Computed(2, None, "BOOLEAN, ANY", _case_types, ("<BOOLEAN>, <ANY>, ...[, <ANY>]",), (TRUTH,)),
    ComputedResult(_case_result),
    sql="WHEN",
    canonical=_build_case,
    doc="The value after the first condition that is TRUE, otherwise the last value, or NULL: ``CASE WHEN … END``.",
    example=("WHEN(1 > 2, 'a', 'b')", "'b'"),
    guards=True,
    collating=CollationRules(),
)


def _infer_unless_null_inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
    common = least_common_type(context.argument_types[1:])
    if common is None:
        return None
    value, *others = context.argument_types
    return value, *[cast_to(given, common) for given in others]


def _build_case_of_null(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    value, *results = arguments
    return call(CASE, (call(IS_NOT_NULL, (value,)), *results))


NVL2 = scalar(
    "nvl2",
    Computed(3, 3, "ANY", _infer_unless_null_inputs, ("value <ANY>, if_not_null <ANY>, if_null <ANY>",)),
    ComputedResult(lambda c: c.argument_types[1].with_nullability(any(a.nullable for a in c.argument_types[1:]))),
    sql="NVL2",
    canonical=_build_case_of_null,
    doc="The second value if the first is not NULL, otherwise the third: ``CASE WHEN … IS NOT NULL THEN … END``.",
    example=("NVL2(NULL, 1, 2)", "2"),
    guards=True,
    collating=CollationRules(first=1),
    shown=Shown(as_written=True),
)


def _infer_comparison_inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
    common = find_comparison_type(context, 0, 1)
    return None if common is None else (common, common)


NULLIF = scalar(
    "nullif",
    Computed(2, 2, "COMPARABLE", _infer_comparison_inputs),
    ComputedResult(lambda context: context.as_given().argument_types[0].as_nullable()),
    sql="NULLIF",
    fluent=as_method("null_if", "other"),
    doc="The first value, or NULL if it equals the second.",
    example=("NULLIF(2, 2)", "NULL"),
    folding=constant_values.NULL_IF_EQUAL,
    guards=True,
    mismatch=Mismatch(together="BINARY_OP_DIFF_TYPES"),
    collating=CollationRules(),
    shown=Shown(as_written=True),
)


def _compare_with_zero(function: FunctionDefinition) -> Canonical:
    return lambda arguments, call: call(function, (*arguments, literal(0)))


def _define_zero_test(
    function: FunctionDefinition, name: str, doc: str, example: tuple[str, str], **facts: Unpack[Facts]
) -> FunctionDefinition:
    def extended(context: CallContext) -> CallContext:
        return CallContext.of(context.name, (*context.arguments, literal(0)))

    def inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
        found = function.inference.inputs.infer_inputs(extended(context))
        return None if found is None else found[:1]

    def output(context: CallContext) -> LogicalType | None:
        whole = extended(context)
        types = function.inference.inputs.infer_inputs(whole)
        return None if types is None else function.inference.output.infer(whole.with_types(types))

    return scalar(
        name,
        Computed(1, 1, "NUMERIC", inputs),
        ComputedResult(output),
        sql=name.upper(),
        canonical=_compare_with_zero(function),
        doc=doc,
        example=example,
        **facts,
    )


NULL_IF_ZERO = _define_zero_test(
    NULLIF,
    "nullifzero",
    "The number, or NULL if it is 0: ``NULLIF(number, 0)``.",
    ("NULLIFZERO(0)", "NULL"),
    guards=True,
    mismatch=Mismatch(alone="BINARY_OP_DIFF_TYPES", together="BINARY_OP_DIFF_TYPES"),
)
ZERO_IF_NULL = _define_zero_test(
    COALESCE,
    "zeroifnull",
    "The number, or 0 if it is NULL: ``COALESCE(number, 0)``.",
    ("ZEROIFNULL(NULL)", "0"),
    guards=True,
    mismatch=Mismatch(alone="DATA_DIFF_TYPES", together="DATA_DIFF_TYPES"),
)


def _build_not_distinct(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    return call(IS_NOT_DISTINCT_FROM, arguments)


EQUAL_NULL = scalar(
    "equal_null",
    IS_NOT_DISTINCT_FROM.inference.inputs,
    IS_NOT_DISTINCT_FROM.inference.output,
    sql="EQUAL_NULL",
    canonical=_build_not_distinct,
    doc="Whether two values are equal, with NULL compared like any other value: ``IS NOT DISTINCT FROM``.",
    example=("EQUAL_NULL(NULL, NULL)", "TRUE"),
    mismatch=Mismatch(together="BINARY_OP_DIFF_TYPES"),
    collating=CollationRules(),
    shown=Shown(as_written=True),
)
