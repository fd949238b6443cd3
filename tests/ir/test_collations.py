"""Collations: their names, the types that have them, and which of several wins."""

from __future__ import annotations

import pickle

import pytest

import serializer  # noqa: F401  # types write themselves
from grammar.type_texts import parse_type
from ir.calls import call
from ir.collations import LOCALES, collation_name, collation_text
from ir.errors import SqlParserException, ValidationException
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.collations import COLLATE
from ir.functions.comparison import EQUALS
from ir.functions.string import CONCAT, UPPER
from ir.inference.collations import Strength, StringCollation, collations_of
from ir.literals import literal
from ir.rendering import Dialect
from ir.types import STRING, ArrayType, LogicalType, StringType


def column(data_type: LogicalType) -> ResolvedExpression:
    return FieldReference("c", data_type, 0, 0)


LOWER = StringType("UTF8_LCASE")
UNICODE = StringType("UNICODE")


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("utf8_binary", "UTF8_BINARY"),
        ("Utf8_Lcase_Rtrim", "UTF8_LCASE_RTRIM"),
        ("unicode_cs_as", "UNICODE"),
        ("unicode_rtrim_ai_ci", "UNICODE_CI_AI_RTRIM"),
        ("SR_CYRL_SRB_AI", "sr_Cyrl_SRB_AI"),
        ("EN_usa_ci", "en_USA_CI"),
        ("system.Builtin.de", "de"),
    ],
)
def test_names(written: str, usual: str) -> None:
    assert collation_name(written) == usual
    assert StringType(written) is StringType(usual)


@pytest.mark.parametrize(
    "name",
    ["", "UTF8", "UTF8_BINARY_CI", "UNICODE_CI_CI", "UNICODE_CI_CS", "UNICODE__CI", "de_DE", "x.y.UNICODE", "_CI"],
)
def test_unknown_collations_are_rejected(name: str) -> None:
    with pytest.raises(ValidationException, match=r"^There is no collation .*_RTRIM that blanks at the end make none"):
        StringType(name)


def test_the_nearest_name_is_suggested() -> None:
    with pytest.raises(ValidationException, match=r"Did you mean 'UTF8_LCASE'\?$"):
        StringType("UTF8_LOWCASE")


def test_types_are_written_and_read() -> None:
    assert STRING is StringType("utf8_binary")
    assert str(ArrayType(LOWER.not_null())) == "ARRAY<STRING COLLATE UTF8_LCASE NOT NULL>"
    assert parse_type("ARRAY<STRING COLLATE system.builtin.utf8_lcase>", Dialect.SPARK) is ArrayType(LOWER)
    assert parse_type("STRING COLLATE UNICODE NOT NULL", Dialect.SPARK) is UNICODE.not_null()
    # In a cast, Spark treats a string type with a length as STRING.
    assert parse_type("VARCHAR(3) COLLATE UNICODE", Dialect.SPARK) is parse_type(
        "CHAR(3) COLLATE UNICODE", Dialect.SPARK
    )
    assert parse_type("CHAR(3) COLLATE UNICODE", Dialect.SPARK) is UNICODE
    assert pickle.loads(pickle.dumps(LOWER)) is LOWER
    for name in LOCALES:
        text = StringType(name).as_serializable_string()
        assert text == f"STRING COLLATE {collation_text(name)}" if name != "UTF8_BINARY" else "STRING"
        assert parse_type(text, Dialect.SPARK) is StringType(name)


@pytest.mark.parametrize(
    ("text", "dialect", "message"),
    [
        ("STRING COLLATE nope", Dialect.SPARK, "There is no collation 'nope'"),
        ("INT COLLATE UNICODE", Dialect.SPARK, "INT has no collation: only STRING has one"),
        ("STRING COLLATE UNICODE", Dialect.FLINK, "Flink has no collations"),
    ],
)
def test_wrong_types(text: str, dialect: Dialect, message: str) -> None:
    with pytest.raises(SqlParserException, match=message):
        parse_type(text, dialect)


def test_strengths() -> None:
    assert collations_of(literal("a")) == StringCollation("UTF8_BINARY", Strength.DEFAULT)
    assert collations_of(column(LOWER)) == StringCollation("UTF8_LCASE", Strength.IMPLICIT)
    explicit = call(COLLATE, (column(LOWER), literal("UNICODE")))
    assert collations_of(explicit) == StringCollation("UNICODE", Strength.EXPLICIT)
    assert collations_of(call(UPPER, (explicit,))) == StringCollation("UNICODE", Strength.EXPLICIT)
    assert collations_of(literal(5)) is None
    assert collations_of(literal("a", LOWER)) == StringCollation("UTF8_LCASE", Strength.IMPLICIT)


def test_precedence_of_collations() -> None:
    explicit = call(COLLATE, (column(STRING), literal("UNICODE")))
    assert call(CONCAT, (column(LOWER), literal("a"))).data_type is LOWER
    assert call(CONCAT, (column(LOWER), explicit, literal("a"))).data_type is UNICODE
    assert call(CONCAT, (column(LOWER), literal(5))).data_type is LOWER
    with pytest.raises(ValidationException, match=r"^Two collations are given with collate, UNICODE and de"):
        call(EQUALS, (explicit, call(COLLATE, (column(STRING), literal("de")))))
    with pytest.raises(ValidationException, match="strings of different collations, UNICODE and UTF8_LCASE, of which"):
        call(EQUALS, (column(UNICODE), column(LOWER)))


def test_a_long_chain_costs_no_recursion() -> None:
    chain: ResolvedExpression = column(LOWER)
    for _ in range(1500):
        chain = call(CONCAT, (chain, literal("x")))
    assert chain.data_type is LOWER
