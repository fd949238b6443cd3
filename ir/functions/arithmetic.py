"""Arithmetic of numbers, dates, times and intervals."""

from __future__ import annotations

from collections.abc import Iterable

from ir import types as t
from ir.dialects.syntax import Precedence, binary, syntax
from ir.expressions import ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions import constant_values
from ir.functions.builder import DECREASING, INCREASING, as_function, scalar
from ir.functions.definition import Construct, FunctionDefinition, Mismatch, Shown
from ir.inference import CallContext
from ir.inference.arithmetic import arithmetic, negation
from ir.inference.inputs import Computed
from ir.inference.results import Computed as ComputedResult
from ir.light_typing import TYPE_CHECKING
from ir.literals import negate
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import FamilyFacts

NUMBERS = ("<NUMERIC>, <NUMERIC>",)
SUMS = (*NUMBERS, "<TEMPORAL or INTERVAL>, <INTERVAL>", "<DATE>, <INT>")
DIFFERENCES = (*SUMS, "<TEMPORAL>, <TEMPORAL>")
PRODUCTS = (*NUMBERS, "<INTERVAL>, <NUMERIC>")
"""Operand types as shown in signatures; sums and products also accept the reverse order."""


def _operator(
    name: str,
    sql: str,
    precedence: Precedence,
    forms: tuple[str, ...],
    doc: str,
    example: tuple[str, str],
    **facts: Unpack[FamilyFacts],
) -> FunctionDefinition:
    def inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
        found = arithmetic(sql, context)
        return None if found is None else found[0]

    def output(context: CallContext) -> LogicalType | None:
        found = arithmetic(sql, context.as_given())
        return None if found is None else found[1]

    return scalar(
        name,
        Computed(2, 2, "NUMERIC or INTERVAL", inputs, forms),
        ComputedResult(output),
        sql=sql,
        syntax=binary(sql, precedence),
        doc=doc,
        example=example,
        **facts,
    )


PLUS = _operator(
    "plus",
    "+",
    Precedence.ADDITIVE,
    SUMS,
    "The sum of two numbers or intervals, or a time moved forward.",
    ("1 + 2", "3"),
    monotonicity=(INCREASING, INCREASING),
    folding=constant_values.ADDITION,
)
MINUS = _operator(
    "minus",
    "-",
    Precedence.ADDITIVE,
    DIFFERENCES,
    "The difference of two numbers, intervals or times, or a time moved back.",
    ("3 - 2", "1"),
    monotonicity=(INCREASING, DECREASING),
    folding=constant_values.SUBTRACTION,
)
TIMES = _operator(
    "times",
    "*",
    Precedence.MULTIPLICATIVE,
    PRODUCTS,
    "The product.",
    ("2 * 3", "6"),
    folding=constant_values.MULTIPLICATION,
)
DIVIDE = _operator(
    "divide",
    "/",
    Precedence.MULTIPLICATIVE,
    PRODUCTS,
    "The quotient: a DOUBLE unless an operand is a DECIMAL or an INTERVAL.",
    ("7 / 2", "3.5"),
    folding=constant_values.DIVISION,
    can_fail=True,
)
MOD = _operator(
    "mod",
    "%",
    Precedence.MULTIPLICATIVE,
    NUMBERS,
    "The remainder, with the sign of the dividend.",
    ("-7 % 3", "-1"),
    also=("mod",),
    folding=constant_values.REMAINDER,
    can_fail=True,
)
DIV = _operator(
    "div",
    "DIV",
    Precedence.MULTIPLICATIVE,
    (*NUMBERS, "<INTERVAL>, <INTERVAL>"),
    "The quotient without its fraction, as a BIGINT.",
    ("7 DIV 2", "3"),
    folding=constant_values.WHOLE_DIVISION,
    can_fail=True,
    mismatch=Mismatch(together="BINARY_OP_DIFF_TYPES"),
)


def _negation_inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
    found = negation(context)
    return None if found is None else (found,)


def _fold_sign(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    (argument,) = arguments
    return negate(argument) if isinstance(argument, ValueLiteral) else None


MINUS_PREFIX = scalar(
    "minusPrefix",
    Computed(1, 1, "NUMERIC or INTERVAL", _negation_inputs),
    ComputedResult(lambda context: context.argument_types[0]),
    monotonicity=(DECREASING,),
    sql="-",
    also=("NEGATIVE",),
    syntax=syntax("-{0}", Precedence.UNARY, Precedence.PRIMARY),
    fluent=as_function("negative", "v"),
    canonical=_fold_sign,
    doc="The negation of a number or interval.",
    example=("-(2)", "-2"),
    folding=constant_values.NEGATION,
)


def _return_operand(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    (argument,) = arguments
    if isinstance(argument.data_type, t.NumericType | t.IntervalType | t.CalendarIntervalType):
        return argument
    from ir.functions.conversion import CAST

    return call(CAST, (argument, TypeLiteral(t.DOUBLE)))


PLUS_PREFIX = scalar(
    "positive",
    Computed(1, 1, "NUMERIC or INTERVAL", _negation_inputs),
    ComputedResult(lambda context: context.argument_types[0]),
    sql="POSITIVE",
    canonical=_return_operand,
    doc="The number or interval unchanged.",
    example=("POSITIVE(2)", "2"),
    folding=constant_values.IDENTITY,
    shown=Shown(around=("(+ ", ")")),
)


def _choose_operation(types: Iterable[LogicalType]) -> FunctionDefinition:
    for data_type in types:
        if isinstance(data_type, t.CharacterType):
            from ir.functions.string import CONCAT

            return CONCAT
    return PLUS


def _sum_or_text_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    return _choose_operation(context.as_given().argument_types).inference.inputs.infer_inputs(context)


def _sum_or_text_result(context: CallContext) -> LogicalType | None:
    return _choose_operation(context.as_given().argument_types).inference.output.infer(context)


def _sum_or_text(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    made = call(_choose_operation(argument.data_type for argument in arguments), arguments)
    others = [i for i, argument in enumerate(arguments) if isinstance(argument.data_type, t.NumericType)]
    if others and isinstance(made.data_type, t.CharacterType):
        from ir.implicit_notices import ImplicitCast, Kind, Notice, add_notice

        add_notice(Notice(made, ImplicitCast(Kind.JOINED, others[0], arguments[others[0]], made.data_type)))
    return made


# The fluent ``+`` concatenates strings, as in Flink; Spark's operator would cast them to numbers.
FLUENT_PLUS = scalar(
    "plus",
    Computed(
        2,
        2,
        "NUMERIC, TEMPORAL or STRING",
        _sum_or_text_types,
        (*SUMS, "<STRING>, <ANY>"),
    ),
    ComputedResult(_sum_or_text_result),
    sql="+",
    syntax=PLUS.emission.syntax,
    canonical=_sum_or_text,
    doc=PLUS.documentation.doc,
)
