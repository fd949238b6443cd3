"""The types of all test programs, and their plans in both layouts, compared with plans of DataFrames.

Each program is compared with the DataFrame converted from its operations one by one and, if the program has one, with
the DataFrame that a person wrote.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from ir.rendering import Layout
from tableapi import Table
from tests.answers import Answers, files_of
from tests.comparison import assert_schema_is_that_of
from tests.plans.columns import NoCounterpart
from tests.plans.comparison import Sameness, compared, frames_of
from tests.plans.counterpart import dataframe_of
from tests.plans.facts import is_renamed, optimized
from tests.plans.known import DIFFERENT, WITHOUT_COUNTERPART
from tests.programs import PROGRAMS, Program
from tests.programs.tables import Frames, Tables, environment_without_spark

ANSWERS = Answers("same_plans", "tests/to_python/evaluated.py", *files_of("tests/plans", "*.py"))
every_program = pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())


@pytest.fixture
def online(tables_in_spark: Tables) -> Tables:
    return tables_in_spark


@pytest.fixture(scope="module")
def offline() -> Tables:
    return Tables(environment_without_spark())


@every_program
@pytest.mark.usefixtures("jvm")
def test_types_and_plans_equal_those_of_dataframes(
    program: Program, offline: Tables, request: pytest.FixtureRequest
) -> None:
    question = _question(program, program.build(offline))
    if not ANSWERS.know(*question):
        _assert_equal(program, request.getfixturevalue("online"))
        ANSWERS.keep(*question)


def _question(program: Program, table: Table) -> tuple[object, ...]:
    """Return what decides the plans: the texts, the types, and the code of the DataFrame that a person wrote."""
    columns = [(column.name, column.data_type) for column in table.get_resolved_schema().columns]
    texts = [table.as_serializable_string(layout=layout) for layout in Layout]
    native = None if program.dataframe is None else _digest(program.dataframe.__code__.co_filename)
    return program.name, columns, texts, native


@cache
def _digest(path: str) -> str:
    return sha256(Path(path).read_bytes()).hexdigest()


def _assert_equal(program: Program, online: Tables) -> None:
    spark = online.env.spark
    table = program.build(online)
    frames = frames_of(table, spark)
    nested, merged = frames[Layout.NESTED], frames[Layout.MERGED]
    # Plain Spark analyses the text as it stands, without any code of this library.
    assert_schema_is_that_of(table, nested)
    assert merged.schema == nested.schema
    # If Spark can simplify only the merged form, its plan has fewer operators. The rows of the merged form are compared
    # in test_rows.
    of_nested, of_merged = str(optimized(nested).toString()), str(optimized(merged).toString())
    assert _shape(of_merged) == _shape(of_nested) or len(_shape(of_merged)) < len(_shape(of_nested))
    assert _hints(of_merged) == _hints(of_nested)
    if program.dataframe is not None:
        native = optimized(program.dataframe(Frames(spark)))
        assert optimized(nested).sameResult(native), f"{of_nested}\n--- native:\n{native.toString()}"
        assert optimized(merged).sameResult(native) or _shape(of_merged) == _shape(str(native.toString()))
    reason = WITHOUT_COUNTERPART.get(program.name)
    if reason is not None:
        with pytest.raises(NoCounterpart, match=re.escape(reason)):
            dataframe_of(table.query_operation, spark)
        return
    counterpart = dataframe_of(table.query_operation, spark)
    assert counterpart.schema.simpleString() == nested.schema.simpleString()
    found = {Layout.NESTED: compared(nested, counterpart)}
    found[Layout.MERGED] = found[Layout.NESTED] if merged is nested else compared(merged, counterpart)
    different = {layout: c.difference for layout, c in found.items() if c.sameness is Sameness.DIFFERENT}
    assert bool(different) == (program.name in DIFFERENT), "\n".join(f"{k}:\n{v}" for k, v in different.items())


def _shape(plan: str) -> list[str]:
    """Return the operators of an optimised plan in order, without projections, which only rename here."""
    shape = []
    for line in plan.splitlines():
        text = line.lstrip(" :+-'!")
        operator = text.split(" ")[0]
        if operator == "Join":
            # A hint says how to join, whichever side it is at.
            operator = text.split(",")[0].split("(")[0] + ("with a hint" if "Hint=" in text else "")
        elif operator == "Relation":
            operator = text.split("[")[0]
        # A name with a line break continues on the next line, which then begins with Spark's number of the column.
        operator = operator.split("#")[0]
        if operator != "Project":
            shape.append(operator)
    return shape


def _hints(plan: str) -> list[str]:
    """Return the hints of the joins of an optimised plan."""
    return sorted(re.findall(r"\b\w+Hint=\([^)]*\)", plan))


def test_enough_plans_are_compared_with_handwritten_ones() -> None:
    assert sum(program.dataframe is not None for program in PROGRAMS.values()) >= 60


def test_programs_that_differ_are_there() -> None:
    assert {*DIFFERENT, *WITHOUT_COUNTERPART} <= PROGRAMS.keys()


def test_a_different_plan_is_detected(online: Tables) -> None:
    spark = online.env.spark
    frames = frames_of(online.lines.filter(online.lines.quantity > 1), spark)
    other = Frames(spark).lines.filter("quantity > 2")
    for frame in frames.values():
        assert not is_renamed(optimized(frame), optimized(other))
        assert compared(frame, other).sameness is Sameness.DIFFERENT
