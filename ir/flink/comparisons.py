"""Rewriting of comparisons, membership tests and logic to Flink's SQL."""

from __future__ import annotations

from ir import types as t
from ir.call_expressions import Call
from ir.calls import call
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.flink.arguments import (
    Forms,
    add_casts,
    cast_as_spark,
    cast_columns,
    spark_types,
)
from ir.flink.casts import NoForm, cast
from ir.flink.marks import mark
from ir.functions import comparison as cmp
from ir.functions import logic
from ir.functions.collection import ROW
from ir.inference import CallContext
from ir.operations.operation import TableReference
from ir.schema import ResolvedSchema


def _distinct_from(part: Call) -> ResolvedExpression:
    left, right = part.arguments
    if all(isinstance(value, ValueLiteral) and isinstance(value.type_, t.NullType) for value in (left, right)):
        raise NoForm("neither NULL has a type; give one a type with null_of")
    if isinstance(left.data_type, t.RowType):
        raise NoForm("a row of NULLs is the same as NULL there")
    return add_casts(part)


_BOUNDS = {
    cmp.BETWEEN: (logic.AND, cmp.GREATER_THAN_OR_EQUAL, cmp.LESS_THAN_OR_EQUAL),
    cmp.NOT_BETWEEN: (logic.OR, cmp.LESS_THAN, cmp.GREATER_THAN),
}


def _rewrite_between(part: Call) -> ResolvedExpression:
    """Return two comparisons if Spark compares the value with the two bounds in different types."""
    value, lower, upper = spark_types(part)
    if value.same_type(lower) and value.same_type(upper):
        return add_casts(part)
    join, first, second = _BOUNDS[part.function]
    given = part.arguments
    halves = [Call(f, (given[0], bound), part.type_) for f, bound in ((first, given[1]), (second, given[2]))]
    return mark(Call(join, tuple([add_casts(half) for half in halves]), part.type_))


def _rewrite_in(part: Call) -> ResolvedExpression:
    value, *others = part.arguments
    if len(others) != 1 or not isinstance(others[0], TableReference):
        return add_casts(part)
    query = others[0].operation
    columns = query.schema.columns
    values = cmp.row_values(value) if len(columns) > 1 else (value,)
    if any(isinstance(v.data_type, t.RowType) for v in values):
        raise NoForm("it does not look for rows in a table of rows")
    # Cast both sides to the type in which Spark compares them.
    pairs = [
        (v, FieldReference(c.name, c.data_type, 0, i)) for i, (v, c) in enumerate(zip(values, columns, strict=True))
    ]
    compared = []
    for pair in pairs:
        types = cmp.EQUALS.inference.inputs.infer_inputs(CallContext.of(cmp.EQUALS.name, pair))
        if types is None:
            # Spark's IN accepts a query of values that = would not accept.
            kinds = " and ".join(one.data_type.as_summary_string() for one in pair)
            raise NoForm(f"it does not compare {kinds}")
        compared.append(types[0])
    casts = [cast_as_spark(v, wanted) for v, wanted in zip(values, compared, strict=True)]
    if len(columns) > 1:
        names = [ValueLiteral(f"f{i}", t.STRING.not_null()) for i in range(len(casts))]
        value = Call(ROW, tuple([p for pair in zip(names, casts, strict=True) for p in pair]), value.data_type)
    else:
        (value,) = casts
    schema = ResolvedSchema.of(query.schema.names, compared)
    return Call(cmp.IN, (value, TableReference(cast_columns(query, schema))), part.type_)


def _rewrite_like(part: Call) -> ResolvedExpression:
    part = add_casts(part)
    value, pattern, *escape = part.arguments
    literal = pattern.value if isinstance(pattern, ValueLiteral) else None
    if escape and isinstance(escape[0], ValueLiteral) and escape[0].value == "\\":
        return mark(part)
    if escape or (isinstance(literal, str) and "\\" not in literal):
        return part
    # Without ESCAPE, Spark uses the backslash as escape character; Flink uses none.
    return Call(cmp.LIKE, (value, pattern, ValueLiteral("\\", t.STRING.not_null())), part.type_)


def _rewrite_like_several(part: Call) -> ResolvedExpression:
    """Return a comparison with each pattern, marked by parentheses as a list of patterns."""
    value, *patterns = part.arguments
    if any(isinstance(pattern, ValueLiteral) and pattern.is_null for pattern in patterns):
        raise NoForm("it compares with no list of patterns, and one of these is NULL")
    tests = [_rewrite_like(Call(cmp.LIKE, (value, pattern), part.type_)) for pattern in patterns]
    connective = logic.OR if part.function is cmp.LIKE_ANY else logic.AND
    return mark(tests[0] if len(tests) == 1 else call(connective, tests))


def _truth(part: Call) -> ResolvedExpression:
    # Spark accepts an untyped NULL as a BOOLEAN.
    return Call(part.function, tuple([cast(argument, t.BOOLEAN) for argument in part.arguments]), part.type_)


def _null_if(part: Call) -> ResolvedExpression:
    if isinstance(part.data_type, t.NullType) or add_casts(part).arguments[0] is not part.arguments[0]:
        raise NoForm("it returns the first value of NULLIF as it is compared; cast the second to its type")
    return add_casts(part)


FORMS: Forms = {
    logic.NULLIF: _null_if,
    **dict.fromkeys((cmp.IS_DISTINCT_FROM, cmp.IS_NOT_DISTINCT_FROM), _distinct_from),
    **dict.fromkeys((cmp.BETWEEN, cmp.NOT_BETWEEN), _rewrite_between),
    cmp.IN: _rewrite_in,
    **dict.fromkeys((logic.AND, logic.OR, logic.NOT, logic.IS_TRUE, logic.IS_NOT_TRUE), _truth),
    **dict.fromkeys((logic.IS_FALSE, logic.IS_NOT_FALSE, logic.IS_UNKNOWN, logic.IS_NOT_UNKNOWN), _truth),
    cmp.LIKE: _rewrite_like,
    **dict.fromkeys((cmp.LIKE_ANY, cmp.LIKE_ALL), _rewrite_like_several),
}
