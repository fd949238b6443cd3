"""Documents are complete over all classes, described by the JSON Schema, stable, shared, linear, unbounded in depth."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import jsonschema
import pytest

import ir.expressions
import ir.types
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.far_dates import FarDate
from ir.identifiers import ObjectIdentifier
from ir.literals import literal
from ir.nodes import init_fields
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.source import SINGLE_ROW, Source
from ir.schema import ResolvedSchema
from ir.types import LogicalType
from serializer.tree_json.classes import (
    NOT_STORED,
    expression_records,
    find_kind,
    node_records,
    operation_records,
    type_records,
)
from serializer.tree_json.json_schema import SCHEMA_FILE, make_schema, schema_text
from serializer.tree_json.literal_json import literal_forms
from tableapi import Table
from tableapi.expressions import array, call, col
from tableapi.types import DataTypes as T
from tests.counting import calls
from tests.depth import DEPTH
from tests.ir.test_operations import OPERATIONS
from tests.programs.tables import Tables, environment_without_spark
from tests.serializer.tree_json.documents import round_trip, schema_errors, validator

TABLES = Tables(environment_without_spark())


# --- completeness ----------------------------------------------------------------------------------------------------


def _below(cls: type[Any]) -> set[type[Any]]:
    return {cls}.union(*[_below(sub) for sub in cls.__subclasses__()])


def test_every_operation_is_stored_or_listed_as_not_stored() -> None:
    stored = {record.cls for record in operation_records().values()}
    assert stored.isdisjoint(NOT_STORED)
    assert stored | NOT_STORED == {*OPERATIONS}


def test_every_expression_and_type_is_stored() -> None:
    expressions = {cls.__name__ for cls in _below(ResolvedExpression)} - {"ResolvedExpression"}
    assert expression_records().keys() == expressions
    roots = {cls.root for cls in _below(LogicalType) if cls.__module__ == "ir.types"} - {""}
    assert type_records().keys() == roots


def test_every_field_is_stored() -> None:
    for record in (*node_records().values(), *type_records().values()):
        assert [field.attribute for field in record.fields if field.attribute != "nullable"] == [
            name
            for name in init_fields(record.cls)
            if name != "nullable"  # type: ignore[arg-type]  # a class
        ]


def test_the_schema_describes_every_class() -> None:
    defined = make_schema()["$defs"]
    for name, record in node_records().items():
        keys = {"node", *[field.key for field in record.fields]}
        assert defined[f"node_{name}"]["properties"].keys() - {"schema"} == keys - {"schema"}
        assert ("schema" in defined[f"node_{name}"]["required"]) == (name in operation_records())
        assert defined[f"node_{name}"]["description"]


def test_a_field_of_an_unknown_class_is_reported() -> None:
    with pytest.raises(TypeError, match=r"The JSON of trees has no kind for float; see serializer.tree_json.classes"):
        find_kind(tuple[float, ...])


def test_each_type_with_literals_says_how_they_are_written() -> None:
    for root in literal_forms():
        assert root in type_records()
        assert f"{root}" in make_schema()["$defs"]["node_ValueLiteral"]["properties"]["value"]["description"]


def test_the_schema_file_is_up_to_date() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), "run python -m serializer.tree_json.json_schema"
    jsonschema.Draft202012Validator.check_schema(make_schema())


def test_the_schema_refuses_wrong_documents() -> None:
    document = json.loads(TABLES.left_bag.filter(col("x") > 1).to_tree_json())
    assert list(validator().iter_errors(document)) == []
    document["nodes"][-1]["more"] = 1
    document["types"][0]["type"] = "INTEGER"
    assert sorted(error.json_path for error in validator().iter_errors(document)) == ["$.nodes[4]", "$.types[0].type"]
    assert len(schema_errors(json.dumps(document | {"types": document["types"][1:]}))) == 1


# --- the form --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "data_type", "written"),
    [
        (True, T.BOOLEAN(), True),
        (-128, T.TINYINT(), -128),
        (2**63 - 1, T.BIGINT(), "9223372036854775807"),
        (-0.0, T.DOUBLE(), "-0.0"),
        (float("nan"), T.FLOAT(), "NaN"),
        (float("-inf"), T.DOUBLE(), "-Infinity"),
        (5e-324, T.DOUBLE(), "5e-324"),
        ("1.10", T.STRING(), "1.10"),
        (b"\x00\xff", T.BYTES(), "00ff"),
        (date(2024, 2, 29), T.DATE(), "2024-02-29"),
        (FarDate(10000, 2, 29), T.DATE(), "+10000-02-29"),
        ("12:30:00.000000001", T.TIME(9), "12:30:00.000000001"),
        ("2024-02-29 12:30:00.5", T.TIMESTAMP(6), "2024-02-29T12:30:00.500000"),
        ("2024-02-29 12:30:00+01:00", T.TIMESTAMP_LTZ(6), "2024-02-29T11:30:00Z"),
        ("+10000-01-01 00:00:00Z", T.TIMESTAMP_LTZ(6), "+10000-01-01T00:00:00Z"),
        (None, T.DECIMAL(10, 2), None),
    ],
)
def test_the_json_of_literals(value: Any, data_type: Any, written: Any) -> None:
    stored = ValueLiteral(None, data_type) if value is None else literal(value, data_type)
    (node,) = [
        node
        for node in json.loads(round_trip(project(SINGLE_ROW, (stored,), ("a",))))["nodes"]
        if node["node"] == "ValueLiteral"
    ]
    assert (node["value"], type(node["value"])) == (written, type(written))


def test_decimals_keep_their_digits() -> None:
    for digits in (
        "1.10",
        "0.00",
        "0.0000000000000000000000000000000000001",
        "-9999999999999999999999999999999999999.9",
    ):
        text = round_trip(project(SINGLE_ROW, (literal(Decimal(digits)),), ("a",)))
        assert f'"value": "{digits}"' in text


def test_half_of_a_surrogate_pair_is_escaped() -> None:
    text = round_trip(Source(ObjectIdentifier("\ud800"), ResolvedSchema.of(["é"], [ir.types.INT])))
    text.encode()
    assert '"\\ud800"' in text
    assert '"é"' in text


def test_a_default_may_be_written() -> None:
    table = TABLES.left_bag.filter(col("x") > 1)
    document = json.loads(table.to_tree_json())
    document["types"][0]["nullable"] = True
    next(node for node in document["nodes"] if node["node"] == "Call")["distinct"] = False
    assert QueryOperation.from_json(json.dumps(document)) is table.query_operation


_PROGRAM = """
from tableapi.expressions import call, col
from tests.programs.tables import Tables, environment_without_spark
bag = Tables(environment_without_spark()).left_bag
upper = bag.filter(col("x").in_(1, 2)).select(call("upper", col("y")).alias("u"))
print(upper.union_all(bag.select(col("y"))).to_tree_json())
"""


@pytest.mark.slow
def test_documents_are_the_same_in_every_process() -> None:
    texts = {
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", _PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


# --- sharing and depth -----------------------------------------------------------------------------------------------


def test_a_shared_subtree_is_stored_once_and_stays_shared() -> None:
    table = TABLES.left_bag
    for _ in range(60):
        table = table.union_all(table)
    text = round_trip(table.query_operation)
    assert len(json.loads(text)["nodes"]) == 61
    made = QueryOperation.from_json(text)
    assert made.inputs[0] is made.inputs[1]


def test_a_table_that_its_own_subqueries_read_is_stored_once() -> None:
    table = TABLES.left_bag
    for _ in range(60):
        table = table.filter(col("x").in_(table.select(col("x"))))
    nodes = [node["node"] for node in json.loads(round_trip(table.query_operation))["nodes"]]
    # Without sharing, there would be 2 to the power of 60 filters.
    assert (nodes.count("Source"), nodes.count("Filter"), nodes.count("TableReference")) == (1, 60, 60)


def test_a_shared_step_of_with_is_stored_once() -> None:
    env = environment_without_spark()
    table = env.sql_query("WITH big AS (SELECT x FROM left_bag WHERE x > 1) SELECT a.x, b.x AS y FROM big a, big b")
    document = json.loads(table.to_tree_json())
    assert [node["node"] for node in document["nodes"]].count("Filter") == 1
    assert {step["name"] for step in document["names"]["steps"]} == {"big"}
    assert [alias["name"] for alias in document["names"]["aliases"]] == ["a", "b"]
    again = env.from_tree_json(table.to_tree_json())
    assert again.as_serializable_string(layout="MERGED") == table.as_serializable_string(layout="MERGED")
    assert "`big`" in again.as_serializable_string(layout="MERGED")


def _filters(count: int) -> Table:
    table = TABLES.left_bag
    for i in range(count):
        table = table.filter(col("x") > i)
    return table


def _sum(count: int) -> Table:
    total = col("x")
    for _ in range(count):
        total = total + 1
    return TABLES.left_bag.select(total.alias("t"))


def _alternatives(count: int) -> Table:
    any_of = col("x") == 0
    for i in range(count):
        any_of = any_of | (col("x") == i)
    return TABLES.left_bag.filter(any_of)


def _upper(count: int) -> Table:
    text = col("y")
    for _ in range(count):
        text = call("concat", text, "a")
    return TABLES.left_bag.select(text.alias("t"))


def _elements(count: int) -> Table:
    return TABLES.left_bag.filter(col("x").in_(*range(count)))


def _rows(count: int) -> Table:
    return TABLES.env.from_elements([(i, "a") for i in range(count)], ["i", "s"])


SHAPES: list[Callable[[int], Table]] = [_filters, _sum, _alternatives, _upper, _elements, _rows]
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__.strip("_"))


@each_shape
@pytest.mark.usefixtures("short_stack")
def test_depth(shape: Callable[[int], Table]) -> None:
    round_trip(shape(DEPTH).query_operation)


@pytest.mark.usefixtures("short_stack")
def test_depth_of_types() -> None:
    nested = array(1)
    for _ in range(90):
        nested = array(nested)
    round_trip(TABLES.left_bag.select(nested.alias("a")).query_operation)


@each_shape
def test_costs_are_linear(shape: Callable[[int], Table]) -> None:
    def work(count: int) -> tuple[int, int]:
        operation = shape(count).query_operation
        text = operation.to_json()
        # A first reading fills the cache of the types of calls.
        QueryOperation.from_json(text)
        return calls(operation.to_json), calls(lambda: QueryOperation.from_json(text))

    for short, long in zip(work(100), work(400), strict=True):
        assert long < 5 * short
