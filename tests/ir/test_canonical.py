"""Queries with the same text are one tree."""

from __future__ import annotations

from typing import Any

import pytest

from ir.functions.arithmetic import PLUS
from ir.functions.form_index import RAISED
from ir.lowerings import lowerings_in
from ir.operations.aggregate import Aggregate
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.source import Source
from ir.rewriting import transform_operations
from tableapi import Expression, Table
from tableapi.expressions import col, lit
from tests.cases import every
from tests.programs import PROGRAMS, Program
from tests.programs.tables import Tables, environment_without_spark


@pytest.fixture(scope="module")
def t() -> Tables:
    return Tables(environment_without_spark())


def _grouped(t: Tables) -> Table:
    return t.lines.group_by(col("sku")).select(col("sku"), col("quantity").sum.alias("s"))


@every("program", PROGRAMS.values, lambda program: program.name)
def test_programs_are_canonical(program: Program, t: Tables) -> None:
    for operation in program.build(t).query_operation.walk_with_subqueries():
        assert operation.canonical() is operation


def test_the_sums_in_lowered_forms_are_times() -> None:
    # A sum of numbers is therefore never asked whether it is a lowered form.
    assert RAISED["plus"] == (("times",), ())
    forms = [lowering for lowering in lowerings_in("times") if PLUS in lowering.lowered_to]
    assert [lowering.function.name for lowering in forms] == ["ceilTo"]


def test_an_aggregation_has_the_names_of_the_projection_over_it(t: Tables) -> None:
    operation = _grouped(t).query_operation
    assert isinstance(operation, Aggregate)
    assert operation.names == operation.schema.names == ("sku", "s")
    assert repr(operation).startswith("Aggregate: (group: [sku], agg: [as(sum(quantity), s)])\n")


def test_the_names_can_be_given_in_many_ways(t: Tables) -> None:
    wanted = _grouped(t).query_operation
    unnamed = t.lines.group_by(col("sku")).select(col("sku"), col("quantity").sum)
    keyed = t.lines.group_by(col("sku").alias("key")).select(col("key"), col("quantity").sum.alias("other"))
    assert unnamed.alias("sku", "s").query_operation is wanted
    assert unnamed.select(col("sku"), col("EXPR$0").alias("s")).query_operation is wanted
    assert keyed.rename_columns(col("key").alias("sku"), col("other").alias("s")).query_operation is wanted
    assert keyed.alias("x", "y").alias("sku", "s").query_operation is wanted


def test_names_can_be_swapped(t: Tables) -> None:
    swapped = _grouped(t).alias("s", "sku")
    assert isinstance(swapped.query_operation, Aggregate)
    assert swapped.filter(col("sku") > 1).get_schema().get_field_names() == ["s", "sku"]


@pytest.mark.parametrize(
    "fields",
    [
        [col("s"), col("sku")],
        [col("s").alias("only")],
        [col("sku"), col("s"), col("s").alias("again")],
        [col("sku"), col("s") + 1],
        [col("sku"), col("s"), lit(1)],
    ],
    ids=["in another order", "not all", "twice", "computed", "more"],
)
def test_other_projections_stay(fields: list[Expression[Any]], t: Tables) -> None:
    operation = _grouped(t).select(*fields).query_operation
    assert isinstance(operation, Project)
    assert isinstance(operation.input, Aggregate)


def test_a_projection_over_a_condition_on_groups_stays(t: Tables) -> None:
    renamed = _grouped(t).filter(col("s") > 1).alias("a", "b").query_operation
    assert [operation.title for operation in renamed.walk()] == ["CatalogTable", "Aggregate", "Filter", "Project"]


def test_a_source_that_becomes_an_aggregation_gets_the_names(t: Tables) -> None:
    behind = _grouped(t).query_operation
    view = Source(t.env.from_path("programs.lines").query_operation.identifier, behind.schema)  # type: ignore[attr-defined]
    renamed = t.env.from_operation(view).alias("a", "b").query_operation

    def change(operation: QueryOperation) -> QueryOperation:
        return behind if operation is view else operation

    assert transform_operations(renamed, change) is t.env.from_operation(behind).alias("a", "b").query_operation
