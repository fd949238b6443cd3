"""Expressions and constants as Python code."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal as D
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grammar.reading import parse_query
from ir.expressions import ValueLiteral
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.time_window import TIME_WINDOWS
from ir.operations.project import Project
from ir.types import LogicalType
from tableapi import DataTypes, FineTime, Row
from tableapi.expressions import (
    and_,
    array,
    call,
    col,
    concat,
    if_then_else,
    lit,
    map_,
    null_of,
    or_,
    row,
    row_number,
)
from tableapi.python_code import literals
from tableapi.window import Over
from tests import strategies
from tests.cases import every
from tests.to_python.evaluated import ENV, TABLES, T, expression_code, written, x, y

# --- expressions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ((x + 1) * 2, '((col("x") + 1) * 2)'),
        (x + 1 * x, '(col("x") + 1 * col("x"))'),
        (x - (x - 1), '(col("x") - (col("x") - 1))'),
        (x - x - 1, '(col("x") - col("x") - 1)'),
        (1 - x, '(1 - col("x"))'),
        (-(x + 1), '(-(col("x") + 1))'),
        (-x, '(-col("x"))'),
        (lit(1) < x, '(lit(1) < col("x"))'),
        ((x < 1) == (x > 2), '((col("x") < 1) == (col("x") > 2))'),
        ((x < 1) & (y == "a"), '((col("x") < 1) & (col("y") == "a"))'),
        (~(x < 1), '(~(col("x") < 1))'),
        (~x.is_null, '(~col("x").is_null)'),
        ((x < 1) | ((x > 2) & y.is_null), '((col("x") < 1) | ((col("x") > 2) & col("y").is_null))'),
        (((x < 1) | (x > 2)) & y.is_null, '(((col("x") < 1) | (col("x") > 2)) & col("y").is_null)'),
        (x.is_null == True, '(col("x").is_null == lit(True))'),  # noqa: E712  # == of columns
        ("#" + y, '("#" + col("y"))'),
        (lit("%") + y, '("%" + col("y"))'),
        (concat(y, "-", x), 'concat(col("y"), "-", col("x"))'),
        (concat(y), 'concat(col("y"))'),
        (call("plus", x, x), '(col("x") + col("x"))'),
        (x.between(1, 2), 'col("x").between(1, 2)'),
        (x.in_(1, 2), 'col("x").in_(1, 2)'),
        (y.like("a%", "!"), 'col("y").like("a%", "!")'),
        (y.trim_leading("x"), 'col("y").trim_leading("x")'),
        (y.upper_case, 'col("y").upper_case'),
        (lit("a").upper_case, 'lit("a").upper_case'),
        (y.substring(1, 2), 'col("y").substring(1, 2)'),
        (if_then_else(x > 1, "a", y), 'if_then_else(col("x") > 1, "a", col("y"))'),
        (call("case", x > 1, "a"), 'call("case", col("x") > 1, "a")'),
        (x.count.distinct, 'col("x").count.distinct'),
        (x.sum.where(y == "a"), 'col("x").sum.where(col("y") == "a")'),
        (lit(1).count, 'col("*").count'),
        (lit(1).count.distinct, "lit(1).count.distinct"),
        (x.cast(T.STRING()), 'col("x").cast(DataTypes.STRING())'),
        (x.cast(T.DECIMAL(5, 1)), 'col("x").cast(DataTypes.DECIMAL(5, 1))'),
        (row(x, y.alias("n")), 'row(col("x"), col("y").alias("n"))'),
        (row(x.alias("f1"), y), 'row(col("x").alias("f1"), col("y").alias("f1_0"))'),
        (array(x, 1), 'array(col("x"), 1)'),
        (map_("a", x), 'map_("a", col("x"))'),
        (array(x).at(1), 'array(col("x")).at(1)'),
        (row(x.alias("a b")).get("a b"), 'row(col("x").alias("a b")).get("a b")'),
        (call("current_time", 3), 'call("current_time", 3)'),
        (x.days, 'col("x").days'),
        (x * lit(1).week, 'col("x").weeks'),
        (
            row_number().over(Over.partition_by(y).order_by(x.desc.nulls_first)),
            'row_number().over(Over.partition_by(col("y")).order_by(col("x").desc.nulls_first))',
        ),
    ],
)
def test_an_expression(expression: Any, code: str) -> None:
    assert expression_code(expression) == code


def test_many_conditions_are_arguments() -> None:
    conditions = [x != i for i in range(8)]
    assert "and_(\n" in written(TABLES.left_bag.filter(and_(*conditions)))
    assert "or_(\n" in written(TABLES.left_bag.filter(or_(*conditions)))


def test_a_long_expression_that_is_used_again_gets_a_name() -> None:
    price = if_then_else(col("status") == "paid", col("amount") * (1 - col("discount")), col("amount"))
    text = written(TABLES.orders.select(price.alias("net"), (price + 1).alias("more")))
    assert text.startswith("net = if_then_else(")
    assert 'select(net.alias("net"), (net + 1).alias("more"))' in text


@every("definition", lambda: [d for d in BUILT_INS if d not in TIME_WINDOWS], lambda definition: definition.name)
def test_the_example_of_a_function(definition: FunctionDefinition) -> None:
    assert definition.documentation.example is not None
    rows = "* FROM " if definition.kind is FunctionKind.TABLE else ""
    operation = parse_query(f"SELECT {rows}{definition.documentation.example[0]}")
    written(ENV.from_operation(operation))


# --- constants and types ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (lit(5), "lit(5)"),
        (lit(-5), "lit(-5)"),
        (lit(5, T.BIGINT()), "lit(5, DataTypes.BIGINT())"),
        (lit(2**40), "lit(1099511627776)"),
        (lit(2**70), 'lit(Decimal("1180591620717411303424"))'),
        (lit(1.5), "lit(1.5)"),
        (lit(-0.0), "lit(-0.0)"),
        (lit(1.5, T.FLOAT()), "lit(1.5, DataTypes.FLOAT())"),
        (lit(math.nan), 'lit(float("nan"))'),
        (lit(-math.inf), 'lit(float("-inf"))'),
        (lit(True), "lit(True)"),
        (lit(D("1.50")), 'lit(Decimal("1.50"))'),
        (lit(D("1.50"), T.DECIMAL(10, 2)), 'lit(Decimal("1.50"), DataTypes.DECIMAL(10, 2))'),
        (lit("it's"), 'lit("it\'s")'),
        (lit('say "x"'), "lit('say \"x\"')"),
        (lit("both ' and \""), 'lit("both \' and \\"")'),
        (lit("back\\slash\n\0"), 'lit("back\\\\slash\\n\\x00")'),
        (lit("日本 \u200b"), 'lit("日本 \\u200b")'),
        (lit(b"\x00'\""), 'lit(b"\\x00\'\\"")'),
        (lit(None), "lit(None)"),
        (null_of(T.DATE()), "null_of(DataTypes.DATE())"),
        (lit(dt.date(2024, 2, 29)), "lit(dt.date(2024, 2, 29))"),
        (lit(dt.time(1, 2)), "lit(dt.time(1, 2))"),
        (lit(dt.time(1, 2), T.TIME(0)), "lit(dt.time(1, 2), DataTypes.TIME(0))"),
        (
            lit("+10000-02-29 01:02:03", DataTypes.TIMESTAMP()),
            'lit("+10000-02-29 01:02:03", DataTypes.TIMESTAMP())',
        ),
        (
            lit("-0001-02-28 01:02:03+01:00", DataTypes.TIMESTAMP_LTZ()),
            'lit("-0001-02-28 00:02:03+00:00", DataTypes.TIMESTAMP_LTZ())',
        ),
        (lit(FineTime(1, 2, 3, 4)), 'lit("01:02:03.000000004", DataTypes.TIME(9))'),
        (lit(dt.datetime(2024, 2, 29, 1)), "lit(dt.datetime(2024, 2, 29, 1))"),
        (lit(dt.datetime(2024, 2, 29, tzinfo=dt.UTC)), "lit(dt.datetime(2024, 2, 29, tzinfo=dt.UTC))"),
        (lit(10).minutes, "lit(10).minutes"),
        (lit(1).month, "lit(1).month"),
        (lit(2).weeks, "lit(14).days"),
        (lit(-3).years, "lit(-3).years"),
        (lit(dt.timedelta(days=-1, microseconds=5)), "lit(dt.timedelta(hours=-23"),
        (lit(14, T.INTERVAL(T.YEAR(), T.MONTH())), "lit(14, DataTypes.INTERVAL(DataTypes.YEAR(), DataTypes.MONTH()))"),
    ],
)
def test_a_constant(value: Any, code: str) -> None:
    assert expression_code(value).startswith(code)


@given(strategies.literals())
def test_any_constant(literal: ValueLiteral) -> None:
    code = literals.write_expression(literal)
    assert code.value._expression is literal
    written(ENV.from_operation(Project(TABLES.left_bag.query_operation, (literal,), ("e",))))


@given(strategies.logical_types())
def test_any_type(data_type: LogicalType) -> None:
    # By this length, DataTypes means STRING.
    assume("VARCHAR(2147483647)" not in repr(data_type))
    assert literals.data_type(data_type).value is data_type
    written(TABLES.left_bag.select(null_of(data_type.as_nullable()).alias("e")))


@given(strategies.names())
def test_any_name_of_a_column(name: str) -> None:
    table = ENV.from_elements([(1, 2)], [name, name + "_2"])
    written(table.filter(col(name + "_2") > 1).select(col(name + "_2").alias("again")))


def test_values_of_nested_types() -> None:
    kind = T.ROW(
        [
            T.FIELD("a", T.ARRAY(T.MAP(T.STRING(), T.ARRAY(T.INT())))),
            T.FIELD("r", T.ROW([T.FIELD("x y", T.DOUBLE(nullable=False), "how far"), T.FIELD("n", T.DATE())])),
        ]
    )
    written(ENV.from_elements([([{"k": [1, None]}, {}, None], (1.5, None)), ([], None), (None, (0.0, None))], kind))
    written(ENV.from_elements([Row(a=1), Row(a=None)], T.ROW([T.FIELD("a", T.TINYINT())])))
    written(ENV.from_elements([1, 2, 3], T.BIGINT()))


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text(value: str) -> None:
    code = literals.text(value)
    assert eval(code.text) == code.value == value


@given(st.binary())
def test_any_bytes(value: bytes) -> None:
    code = literals.text(value)
    assert eval(code.text) == code.value == value
