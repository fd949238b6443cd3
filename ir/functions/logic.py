"""Logic, conditions and the replacement of NULL."""

from __future__ import annotations

from ir import types as t
from ir.casts import least_common_type
from ir.dialects.syntax import Precedence, chained, predicate, special, syntax
from ir.functions.builder import as_function, as_method, as_property, scalar
from ir.functions.definition import FunctionDefinition
from ir.inference import CallContext
from ir.inference.arguments import BOOLEAN, TRUTH, Common, Computed, Family, cast_to, positional, varying
from ir.inference.results import Computed as ComputedResult
from ir.inference.results import never_null, nullable_if_arguments
from ir.inference.type_inference import ArgumentTypeStrategy
from ir.types import LogicalType

_TRUTH = nullable_if_arguments(t.BOOLEAN)
# Whether Spark reads text as a condition depends on how it groups a long chain, so that text is not accepted.
_CONDITION = Family("BOOLEAN", (t.BooleanType, t.NullType))

AND = scalar(
    "and",
    varying(_CONDITION, 2),
    _TRUTH,
    sql="AND",
    syntax=chained("AND", Precedence.AND),
    doc="Whether all conditions are TRUE.",
    example=("TRUE AND FALSE", "FALSE"),
)
OR = scalar(
    "or",
    varying(_CONDITION, 2),
    _TRUTH,
    sql="OR",
    syntax=chained("OR", Precedence.OR),
    doc="Whether at least one condition is TRUE.",
    example=("TRUE OR FALSE", "TRUE"),
)
NOT = scalar(
    "not",
    positional(BOOLEAN),
    _TRUTH,
    sql="NOT",
    syntax=syntax("NOT {0}", Precedence.NOT, Precedence.NOT),
    doc="TRUE where a condition is FALSE, FALSE where it is TRUE, NULL where it is NULL.",
    example=("NOT TRUE", "FALSE"),
)


def _truth_test(
    name: str,
    keyword: str,
    fluent_name: str,
    doc: str,
    example: tuple[str, str],
    condition: ArgumentTypeStrategy = BOOLEAN,
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
    )


IS_TRUE = _truth_test(
    "isTrue", "IS TRUE", "is_true", "Whether a condition is TRUE; never NULL.", ("TRUE IS TRUE", "TRUE")
)
IS_NOT_TRUE = _truth_test(
    "isNotTrue", "IS NOT TRUE", "is_not_true", "Whether a condition is FALSE or NULL.", ("TRUE IS NOT TRUE", "FALSE")
)
IS_FALSE = _truth_test(
    "isFalse", "IS FALSE", "is_false", "Whether a condition is FALSE; never NULL.", ("FALSE IS FALSE", "TRUE")
)
IS_NOT_FALSE = _truth_test(
    "isNotFalse", "IS NOT FALSE", "is_not_false", "Whether a condition is TRUE or NULL.", ("TRUE IS NOT FALSE", "TRUE")
)
IS_UNKNOWN = _truth_test(
    "isUnknown", "IS UNKNOWN", "is_unknown", "Whether a condition is NULL.", ("TRUE IS UNKNOWN", "FALSE"), TRUTH
)
IS_NOT_UNKNOWN = _truth_test(
    "isNotUnknown",
    "IS NOT UNKNOWN",
    "is_not_unknown",
    "Whether a condition is not NULL.",
    ("TRUE IS NOT UNKNOWN", "TRUE"),
    TRUTH,
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
    syntax=special("case"),
    fluent=as_function("if_then_else", "condition if_true if_false") + as_method("then", "if_true if_false"),
    doc="The result that stands with the first condition that is TRUE, else the last result, else NULL.",
    example=("CASE WHEN 1 > 2 THEN 'a' ELSE 'b' END", "'b'"),
)


def _first_not_null(context: CallContext) -> LogicalType:
    first = context.argument_types[0]
    return first.with_nullability(all(argument.nullable for argument in context.argument_types))


COALESCE = scalar(
    "COALESCE",
    Common(1, None, "ANY"),
    ComputedResult(_first_not_null),
    sql="COALESCE",
    fluent=as_function("coalesce", "first *others"),
    doc="The first value that is not NULL, or NULL where there is none.",
    example=("COALESCE(NULL, 1)", "1"),
)
IF_NULL = scalar(
    "IFNULL",
    Common(2, 2, "ANY"),
    ComputedResult(_first_not_null),
    sql="IFNULL",
    fluent=as_method("if_null", "null_replacement"),
    doc="The value, or the replacement where the value is NULL.",
    example=("IFNULL(NULL, 1)", "1"),
)
