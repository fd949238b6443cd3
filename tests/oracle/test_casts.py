"""The rules of casts and of common types against Spark's analyzer, for every pair of types."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest

from ir.casts import (
    ANY_FAMILY,
    ARRAY_FAMILY,
    DECIMAL_FAMILY,
    INTEGRAL_FAMILY,
    MAP_FAMILY,
    NUMERIC_FAMILY,
    ROW_FAMILY,
    TIMESTAMP_FAMILY,
    Expected,
    TypeFamily,
    can_cast,
    can_store,
    can_try_cast,
    cast_is_nullable,
    cast_result,
    comparison_type,
    has_equality,
    implicit_cast,
    is_groupable,
    is_orderable,
    least_common_type,
    try_cast_result,
    union_type,
)
from ir.expressions import ValueLiteral
from ir.types import (
    BOOLEAN,
    INT,
    NULL,
    ArrayType,
    CharType,
    IntegralType,
    LogicalType,
    MapType,
    RowField,
    RowType,
    VarCharType,
)
from serializer.spark_notation import SPARK
from serializer.types import type_text
from tableapi.spark.types import from_spark, to_spark
from tests.oracle.oracle import (
    ALL_PAIRS,
    LITERALS,
    NOT_NULL,
    NULLABLE,
    TYPES,
    VIEW,
    Comparison,
    Operand,
    Oracle,
    compare,
    holds_shapes,
    pairs,
    question,
)

TARGETS: list[LogicalType] = [*TYPES, CharType(3), VarCharType(5), ArrayType(CharType(3))]
EVERY_OPERAND = [*NULLABLE, *NOT_NULL]
# Among the literals are an untyped NULL beside columns, and numbers beside decimals.
WITH_LITERALS = [*pairs(LITERALS, NOT_NULL), *pairs(NOT_NULL, LITERALS)]


# --- explicit casts --------------------------------------------------------------------------------------------------


def _cast(source: LogicalType, target: LogicalType) -> LogicalType | None:
    return cast_result(source, target) if can_cast(source, target) else None


def _try_cast(source: LogicalType, target: LogicalType) -> LogicalType | None:
    return try_cast_result(source, target) if can_try_cast(source, target) else None


@pytest.mark.parametrize(("name", "rule"), [("CAST", _cast), ("TRY_CAST", _try_cast)])
def test_explicit_casts(
    oracle: Oracle, name: str, rule: Callable[[LogicalType, LogicalType], LogicalType | None]
) -> None:
    questions = [
        (question(f"{name}({{}} AS {type_text(t, SPARK)})", a), partial(rule, a.data_type, t))
        for a in EVERY_OPERAND
        for t in TARGETS
    ]
    assert compare(oracle, questions).disagreements == []


# --- implicit casts --------------------------------------------------------------------------------------------------

FAMILIES: list[tuple[TypeFamily, str]] = [
    (NUMERIC_FAMILY, "NumericType"),
    (INTEGRAL_FAMILY, "IntegralType"),
    (DECIMAL_FAMILY, "DecimalType"),
    (ARRAY_FAMILY, "ArrayType"),
    (MAP_FAMILY, "MapType"),
    (ROW_FAMILY, "StructType"),
    (ANY_FAMILY, "AnyDataType"),
    (TIMESTAMP_FAMILY, "AnyTimestampType"),
]


def _expected_types(oracle: Oracle) -> list[tuple[Expected, object]]:
    """Return the types that parameters may expect, each with the analyzer's own object for it."""
    concrete: list[tuple[Expected, object]] = [(t, oracle.java_type(t)) for t in TYPES]
    return concrete + [(family, oracle.singleton(f"org.apache.spark.sql.types.{name}")) for family, name in FAMILIES]


def test_implicit_casts(oracle: Oracle) -> None:
    coercion = oracle.singleton("org.apache.spark.sql.catalyst.analysis.AnsiTypeCoercion")
    comparison = Comparison()
    for operand in EVERY_OPERAND:
        argument = oracle.java_argument(operand.data_type)
        for expected, java_expected in _expected_types(oracle):
            actual = coercion.implicitCast(argument, java_expected)
            comparison.add(
                f"{operand.data_type} as {expected}",
                implicit_cast(operand.data_type, expected),
                oracle.type_of(actual.get()) if actual.isDefined() else None,
            )
    assert comparison.disagreements == []


def test_store_assignment(oracle: Oracle) -> None:
    cast = oracle.jvm.org.apache.spark.sql.catalyst.expressions.Cast
    java = [oracle.java_type(t) for t in TYPES]
    wrong = [
        f"{source} into {target}"
        for source, java_source in zip(TYPES, java, strict=True)
        for target, java_target in zip(TYPES, java, strict=True)
        if can_store(source, target)
        != (cast.canANSIStoreAssign(java_source, java_target) and cast.canAnsiCast(java_source, java_target))
    ]
    assert wrong == []


# --- common types ----------------------------------------------------------------------------------------------------


def _common(*operands: Operand) -> LogicalType | None:
    return least_common_type(operand.data_type for operand in operands)


def _first_that_is_not_null(*operands: Operand, promote_strings: bool = True) -> LogicalType | None:
    common = least_common_type((o.data_type for o in operands), promote_strings=promote_strings)
    return None if common is None else common.with_nullability(all(_casts_to_null(operands, common)))


def _casts_to_null(operands: tuple[Operand, ...], common: LogicalType) -> list[bool]:
    return [cast_is_nullable(operand.data_type, common) for operand in operands]


def _extreme(*operands: Operand) -> LogicalType | None:
    common = _first_that_is_not_null(*operands, promote_strings=False)
    return common if common is not None and comparison_type(common, common) is not None else None


def _array(*operands: Operand) -> LogicalType | None:
    common = _common(*operands)
    return None if common is None else ArrayType(common, nullable=False)


def _map(*operands: Operand) -> LogicalType | None:
    common = _common(*operands)
    return None if common is None else MapType(INT, common, nullable=False)


def _in(*operands: Operand) -> LogicalType | None:
    common = _common(*operands)
    if common is None or comparison_type(common, common) is None:
        return None
    # If the types differ in any way, even in nested nullability, every operand is cast.
    return BOOLEAN.with_nullability(common.nullable)


COMMON_TYPE_CALLS: list[tuple[str, Callable[..., LogicalType | None]]] = [
    ("CASE WHEN n1 THEN {} ELSE {} END", _common),
    ("IF(n1, {}, {})", _common),
    ("COALESCE({}, {})", _first_that_is_not_null),
    ("ARRAY({}, {})", _array),
    ("MAP(1, {}, 2, {})", _map),
    ("{} IN ({})", _in),
    ("GREATEST({}, {})", _extreme),
]


@pytest.mark.parametrize(("template", "infer"), COMMON_TYPE_CALLS)
def test_common_types(oracle: Oracle, template: str, infer: Callable[..., LogicalType | None]) -> None:
    operands = ALL_PAIRS + WITH_LITERALS
    questions = [(question(template, a, b), partial(infer, a, b)) for a, b in operands]
    assert compare(oracle, questions).disagreements == []


def test_common_type_of_three(oracle: Oracle) -> None:
    chosen = random.Random(1)
    triples = [tuple(chosen.choices(EVERY_OPERAND, k=3)) for _ in range(3000)]
    questions = [(question("COALESCE({}, {}, {})", *t), partial(_first_that_is_not_null, *t)) for t in triples]
    assert compare(oracle, questions).disagreements == []


def test_set_operations(oracle: Oracle) -> None:
    """Ask the analyzer about unions of unlike types by its rule, and about every tenth of these by a query as well.

    Of other pairs, the queries are columns of one union; what is refused takes a union of its own.
    """
    widened = oracle.singleton("org.apache.spark.sql.catalyst.analysis.AnsiTypeCoercion").findWiderTypeForTwo
    java = {data_type: oracle.java_type(data_type) for data_type in TYPES}
    sides = [*pairs(NOT_NULL, NOT_NULL), *pairs(NULLABLE, NOT_NULL)]
    inferred = {pair: union_type(pair[0].data_type, pair[1].data_type) for pair in sides}

    def is_refused_by_rule(left: Operand, right: Operand) -> bool:
        ours, theirs = left.data_type.as_nullable(), right.data_type.as_nullable()
        return not ours.same_type(theirs) and not widened(java[ours], java[theirs]).isDefined()

    by_rule = [pair for pair in sides if inferred[pair] is None and is_refused_by_rule(*pair)]
    refused = {*by_rule}
    asked = [*(pair for pair in sides if pair not in refused), *by_rule[::10]]
    actual = oracle.types_of_unions([(a.text, b.text) for a, b in asked], [inferred[pair] for pair in asked])
    comparison = Comparison()
    for pair, found in zip(asked, actual, strict=True):
        comparison.add(f"{pair[0].data_type} UNION {pair[1].data_type}", inferred[pair], found)
    assert len({*by_rule, *asked}) == len(sides)
    assert comparison.disagreements == []


# --- comparisons -----------------------------------------------------------------------------------------------------


def _comparison(null_safe: bool, left: Operand, right: Operand) -> LogicalType | None:
    found = comparison_type(
        left.data_type,
        right.data_type,
        left_literal=_whole_number(left),
        right_literal=_whole_number(right),
    )
    return None if found is None else BOOLEAN.with_nullability(found.nullable and not null_safe)


def _whole_number(operand: Operand) -> int | None:
    literal = operand.expression
    if isinstance(literal, ValueLiteral) and isinstance(literal.data_type, IntegralType):
        return literal.value if isinstance(literal.value, int) else None
    return None


@pytest.mark.parametrize("operator", ["=", "<", "<=>"])
def test_comparisons(oracle: Oracle, operator: str) -> None:
    questions = [
        (question(f"{{}} {operator} {{}}", a, b), partial(_comparison, operator == "<=>", a, b))
        for a, b in ALL_PAIRS + WITH_LITERALS
    ]
    assert compare(oracle, questions).disagreements == []


# --- keys of groups and of sorts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "rule"),
    [
        ("SELECT {0} FROM {1} GROUP BY {0}", is_groupable),
        ("SELECT {0} FROM {1} ORDER BY {0}", is_orderable),
        ("SELECT DISTINCT {0} FROM {1}", has_equality),
        ("SELECT {0} FROM {1} UNION ALL SELECT {0} FROM {1}", lambda data_type: True),
        # The analyzer accepts an INTERVAL here, but the query fails when it runs as a join, so the operation rejects
        # it.
        ("SELECT {0} FROM {1} EXCEPT SELECT {0} FROM {1}", has_equality),
    ],
)
def test_keys(oracle: Oracle, clause: str, rule: Callable[[LogicalType], bool]) -> None:
    wrong = [o.data_type for o in NULLABLE if rule(o.data_type) != oracle.accepts(clause.format(o.text, VIEW))]
    # The analyzer accepts geometries where rows are hashed, but the query fails at run time.
    assert wrong == ([o.data_type for o in NULLABLE if holds_shapes(o.data_type)] if rule in _OF_HASHES else [])


_OF_HASHES = (is_groupable, has_equality)


# --- types of PySpark ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("data_type", TARGETS)
def test_spark_types_round_trip(data_type: LogicalType) -> None:
    assert from_spark(to_spark(data_type), data_type.nullable) is data_type


def test_spark_reads_the_text_of_a_type(oracle: Oracle) -> None:
    row = RowType((RowField("a`b", INT.not_null()), RowField("é", NULL)))
    parser = oracle.session.sessionState().sqlParser()
    for data_type in (*TYPES, row):
        text = type_text(data_type, SPARK)
        assert oracle.python_type(parser.parseDataType(text)) is cast_result(data_type, data_type)
