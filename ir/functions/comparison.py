"""Comparisons and predicates built from them."""

from __future__ import annotations

from ir import types as t
from ir.call_expressions import Call
from ir.casts import differ_at_most_in_field_names, is_comparable, least_common_type
from ir.dialects.syntax import FUNCTION, OwnSyntax, Precedence, binary, predicate, special
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions import constant_values
from ir.functions.builder import as_method, as_property, capitals, scalar
from ir.functions.definition import CollationRules, Construct, FunctionDefinition, Mismatch, Shown
from ir.inference import CallContext
from ir.inference.arguments import (
    ANY,
    STRING,
    TABLE,
    OneOf,
    Where,
    literal_where,
    matchable_string,
    pattern,
    uncollated,
)
from ir.inference.inputs import Comparable, Computed, Ordered, Positional, cast_to, find_comparison_type, positional
from ir.inference.results import maybe_null, never_null, nullable_if_arguments
from ir.light_typing import TYPE_CHECKING
from ir.literals import literal
from ir.operations.operation import TableReference
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts

_PAIR = Comparable(2, 2, "COMPARABLE")
_ORDERED = Ordered(2, 2, "COMPARABLE")
_TRUTH = nullable_if_arguments(t.BOOLEAN)

EQUALS = scalar(
    "equals",
    _PAIR,
    _TRUTH,
    sql="=",
    syntax=binary("=", Precedence.PREDICATE),
    doc="Whether two values are equal; NULL if one of them is NULL.",
    example=("1 = 1", "TRUE"),
    folding=constant_values.EQUALITY,
    collating=CollationRules(),
)
NOT_EQUALS = scalar(
    "notEquals",
    _PAIR,
    _TRUTH,
    sql="<>",
    syntax=binary("<>", Precedence.PREDICATE),
    doc="Whether two values differ; NULL if one of them is NULL.",
    example=("1 <> 2", "TRUE"),
    folding=constant_values.INEQUALITY,
    collating=CollationRules(),
)
GREATER_THAN = scalar(
    "greaterThan",
    _ORDERED,
    _TRUTH,
    sql=">",
    syntax=binary(">", Precedence.PREDICATE),
    doc="Whether the first value is greater than the second.",
    example=("2 > 1", "TRUE"),
    folding=constant_values.GREATER,
    collating=CollationRules(),
)
GREATER_THAN_OR_EQUAL = scalar(
    "greaterThanOrEqual",
    _ORDERED,
    _TRUTH,
    sql=">=",
    syntax=binary(">=", Precedence.PREDICATE),
    doc="Whether the first value is greater than the second or equal to it.",
    example=("2 >= 2", "TRUE"),
    folding=constant_values.GREATER_OR_EQUAL,
    collating=CollationRules(),
)
LESS_THAN = scalar(
    "lessThan",
    _ORDERED,
    _TRUTH,
    sql="<",
    syntax=binary("<", Precedence.PREDICATE),
    doc="Whether the first value is less than the second.",
    example=("1 < 2", "TRUE"),
    folding=constant_values.LESS,
    collating=CollationRules(),
)
LESS_THAN_OR_EQUAL = scalar(
    "lessThanOrEqual",
    _ORDERED,
    _TRUTH,
    sql="<=",
    syntax=binary("<=", Precedence.PREDICATE),
    doc="Whether the first value is less than the second or equal to it.",
    example=("1 <= 1", "TRUE"),
    folding=constant_values.LESS_OR_EQUAL,
    collating=CollationRules(),
)
IS_DISTINCT_FROM = scalar(
    "isDistinctFrom",
    _PAIR,
    never_null(t.BOOLEAN),
    sql="IS DISTINCT FROM",
    syntax=binary("IS DISTINCT FROM", Precedence.PREDICATE),
    fluent=as_method("is_distinct_from", "other"),
    doc="Whether two values differ, with NULL compared like any other value.",
    example=("1 IS DISTINCT FROM NULL", "TRUE"),
    collating=CollationRules(),
)
IS_NOT_DISTINCT_FROM = scalar(
    "isNotDistinctFrom",
    _PAIR,
    never_null(t.BOOLEAN),
    sql="IS NOT DISTINCT FROM",
    syntax=binary("IS NOT DISTINCT FROM", Precedence.PREDICATE),
    fluent=as_method("is_not_distinct_from", "other"),
    doc="Whether two values are equal, with NULL compared like any other value.",
    example=("1 IS NOT DISTINCT FROM NULL", "FALSE"),
    collating=CollationRules(),
)


def _range_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    """Return the operand types of BETWEEN; Spark casts the value separately for each bound."""
    lower, upper = (
        find_comparison_type(_build_bound_context(context, bound), 0, bound, literals=(bound,)) for bound in (1, 2)
    )
    if lower is None or upper is None:
        return None
    value = lower if lower.same_type(upper) else context.argument_types[0]
    return value.with_nullability(lower.nullable or upper.nullable), lower, upper


def _build_bound_context(context: CallContext, bound: int) -> CallContext:
    """Return the call whose value has the collation for the comparison with one bound."""
    value, *bounds = context.argument_types
    beside = bounds[bound - 1]
    if not isinstance(value, t.StringType) or not isinstance(beside, t.StringType):
        return context
    return context.with_types((beside.with_nullability(value.nullable), *bounds))


_RANGE = Computed(3, 3, "COMPARABLE", _range_types)

BETWEEN = scalar(
    "between",
    _RANGE,
    _TRUTH,
    sql="BETWEEN",
    syntax=predicate("{0} BETWEEN {1} AND {2}"),
    fluent=as_method("between", "lower_bound upper_bound"),
    doc="Whether a value is at least the lower bound and at most the upper bound.",
    example=("2 BETWEEN 1 AND 3", "TRUE"),
    mismatch=Mismatch(together="BINARY_OP_DIFF_TYPES"),
    collating=CollationRules(unites=False, of_bounds=True),
)
NOT_BETWEEN = scalar(
    "notBetween",
    _RANGE,
    _TRUTH,
    sql="NOT BETWEEN",
    syntax=predicate("{0} NOT BETWEEN {1} AND {2}"),
    fluent=as_method("not_between", "lower_bound upper_bound"),
    doc="Whether a value is less than the lower bound or greater than the upper bound.",
    example=("2 NOT BETWEEN 1 AND 3", "FALSE"),
    mismatch=Mismatch(together="BINARY_OP_DIFF_TYPES"),
    collating=CollationRules(unites=False, of_bounds=True),
)
IS_NULL = scalar(
    "isNull",
    positional(ANY, names="value"),
    never_null(t.BOOLEAN),
    sql="IS NULL",
    also=("isnull",),
    syntax=predicate("{0} IS NULL"),
    fluent=as_property("is_null"),
    doc="Whether a value is NULL.",
    example=("1 IS NULL", "FALSE"),
    folding=constant_values.IS_NULL,
    shown=Shown(around=("(", " IS NULL)")),
)
IS_NOT_NULL = scalar(
    "isNotNull",
    positional(ANY, names="value"),
    never_null(t.BOOLEAN),
    sql="IS NOT NULL",
    also=("isnotnull",),
    syntax=predicate("{0} IS NOT NULL"),
    fluent=as_property("is_not_null"),
    doc="Whether a value is not NULL.",
    example=("1 IS NOT NULL", "TRUE"),
    folding=constant_values.IS_NOT_NULL,
    shown=Shown(around=("(", " IS NOT NULL)")),
)


def _is_one_character(value: object) -> bool:
    return isinstance(value, str) and len(value) == 1


def _text_pattern(
    name: str,
    sql: str,
    doc: str,
    example: tuple[str, str],
    escape: bool,
    also: tuple[str, ...] = (),
    **facts: Unpack[Facts],
) -> FunctionDefinition:
    arguments = [matchable_string(), pattern()]
    if escape:
        return scalar(
            name,
            positional(
                *arguments,
                literal_where(STRING, _is_one_character, "literal of one character"),
                optional=1,
                names="value pattern escape",
            ),
            nullable_if_arguments(t.BOOLEAN),
            sql=sql,
            syntax=predicate(f"{{0}} {sql} {{1}}[ ESCAPE {{2}}]"),
            doc=doc,
            example=example,
            **facts,
        )
    return scalar(
        name,
        positional(*arguments, names="value pattern"),
        nullable_if_arguments(t.BOOLEAN),
        sql=sql,
        also=also,
        syntax=predicate(f"{{0}} {sql} {{1}}"),
        flink_name="REGEXP",
        flink_syntax=FUNCTION,
        fluent=as_method("regexp", "regex"),
        doc=doc,
        example=example,
        **facts,
    )


ILIKE = _text_pattern(
    "ilike",
    "ILIKE",
    "Whether value matches pattern as in LIKE, ignoring case.",
    ("'ABC' ILIKE 'a%'", "TRUE"),
    True,
    shown=Shown(shown_arguments=2),
)
RLIKE = _text_pattern(
    "rlike",
    "RLIKE",
    "Whether a substring of value matches pattern, a Java regular expression.",
    ("'abc' RLIKE 'b+'", "TRUE"),
    False,
    ("REGEXP_LIKE",),
    shown=Shown(names=capitals("REGEXP", "REGEXP_LIKE", "RLIKE")),
)
LIKE = scalar(
    "like",
    positional(
        matchable_string(),
        pattern(),
        literal_where(STRING, _is_one_character, "literal of one character"),
        optional=1,
        names="value pattern escape",
    ),
    nullable_if_arguments(t.BOOLEAN),
    sql="LIKE",
    syntax=predicate("{0} LIKE {1}[ ESCAPE {2}]"),
    doc="Whether value matches pattern, in which % stands for any string and _ for any character.",
    example=("'abc' LIKE 'a%'", "TRUE"),
)

_PATTERN = Where(
    uncollated(STRING),
    lambda given: isinstance(given, ValueLiteral) and isinstance(given.type_, t.StringType),
    "STRING literal",
)
_MATCHED = matchable_string(STRING)
# For constant patterns, Spark uses another expression, whose result is always nullable.
LIKE_ANY = scalar(
    "likeAny",
    Positional((_MATCHED, _PATTERN), rest=_PATTERN, names=("value", "pattern")),
    maybe_null(t.BOOLEAN),
    sql="LIKE ANY",
    syntax=predicate("{0} LIKE ANY ({1*})"),
    doc="Whether value matches at least one of the constant patterns.",
    example=("'abc' LIKE ANY ('x%', 'a%')", "TRUE"),
)
LIKE_ALL = scalar(
    "likeAll",
    Positional((_MATCHED, _PATTERN), rest=_PATTERN, names=("value", "pattern")),
    maybe_null(t.BOOLEAN),
    canonical=lambda arguments, call: call(LIKE_ANY, arguments) if len(arguments) == 2 else None,
    sql="LIKE ALL",
    syntax=predicate("{0} LIKE ALL ({1*})"),
    doc="Whether value matches all of the constant patterns.",
    example=("'abc' LIKE ALL ('a%', '%c')", "TRUE"),
)


def _infer_in_inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
    """Return the operand types of IN in their least common type; a subquery casts its own columns."""
    table = context.table_argument(1)
    if table is None:
        value, *others = context.argument_types
        common = least_common_type(context.argument_types)
        if common is None and is_comparable(value) and all(differ_at_most_in_field_names(value, o) for o in others):
            return context.argument_types
        if common is None or not is_comparable(common):
            return None
        return tuple([cast_to(given, common) for given in context.argument_types])
    value, columns = context.argument_types[0], context.argument_types[1].children
    values = [v.data_type for v in row_values(context.arguments[0])] if len(columns) > 1 else [value]
    if len(context) != 2 or len(values) != len(columns):
        return None
    nullable = False
    for ours, theirs in zip(values, columns, strict=True):
        common = least_common_type((ours, theirs))
        if common is None or not is_comparable(common):
            return None
        nullable = nullable or common.nullable
    return value.with_nullability(nullable), context.argument_types[1]


def row_values(value: ResolvedExpression) -> tuple[ResolvedExpression, ...]:
    """Return the values of a row constructor, or an empty tuple for another expression."""
    return value.arguments[1::2] if isinstance(value, Call) and value.function.name == "row" else ()


def _name_row_fields(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Name the fields of a row that is compared with several columns by position, because SQL omits their names."""
    value, *others = arguments
    table = others[0]
    if not isinstance(table, TableReference) or len(table.operation.schema) == 1:
        return None
    assert isinstance(value, Call), "only a row is searched in several columns"
    named = [part for i, v in enumerate(row_values(value)) for part in (literal(f"f{i}"), v)]
    row = call(value.function, named)
    return None if row is value else call(IN, (row, table))


IN = scalar(
    "in",
    Computed(
        2,
        None,
        "COMPARABLE",
        _infer_in_inputs,
        (
            "<COMPARABLE>, <COMPARABLE>...",
            "<COMPARABLE>, <table of one column>",
            "<row(…) of n values>, <table of n columns>",
        ),
        (ANY, OneOf((ANY, TABLE))),
    ),
    _TRUTH,
    sql="IN",
    syntax=special(OwnSyntax.IN, Precedence.PREDICATE),
    canonical=_name_row_fields,
    doc="Whether a value is in a list or in the only column of a table, or a row is among the rows of a table.",
    example=("1 IN (1, 2)", "TRUE"),
    collating=CollationRules(),
)
