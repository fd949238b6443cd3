"""What is written for Flink is read back as the equal tree: every program, function, literal and random query.

TABLEAPI_EXAMPLES=2000 asks for so many new random queries, and for every call of the functions.
"""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples.tpch.data import declare
from examples.tpch.queries import QUERIES
from grammar.reading import Surroundings, parse_query
from ir.errors import TableException, ValidationException
from ir.expressions import ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.source import SINGLE_ROW
from ir.rendering import Dialect
from tableapi import EnvironmentSettings, TableEnvironment
from tests.grammar.reading import OneCall, surroundings
from tests.oracle.calls import argument_lists, call_or_none
from tests.programs import PROGRAMS, Program
from tests.programs.tables import Tables, environment_without_spark
from tests.random_queries.test_random_queries import RandomQuery, queries
from tests.strategies import literals

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_EXAMPLES = os.environ.get("TABLEAPI_EXAMPLES")
_CALLS = 25
FLINK = Dialect.FLINK
OFFLINE = Tables(environment_without_spark())
AROUND = surroundings(OFFLINE.env, FLINK)


def reads_back(operation: QueryOperation, around: Surroundings) -> bool:
    """Assert that a query is read back, if it has a text for Flink; return whether it has."""
    try:
        text = operation.as_serializable_string(FLINK)
    except TableException:
        return False
    found = parse_query(text, around)
    # Nodes are interned: equal trees are one object.
    assert found is operation, f"{text}\n--- was:\n{operation!r}\n--- is read as:\n{found!r}"
    return True


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_every_program(program: Program) -> None:
    assert reads_back(program.build(OFFLINE).query_operation, AROUND) is not bool(program.no_flink)


@pytest.mark.parametrize("name", QUERIES)
def test_tpch(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    env = TableEnvironment.create(settings.with_built_in_database_name("tpch").build())
    declare(env, "tpch", tmp_path_factory.mktemp("tpch"))
    query = QUERIES[name](lambda table: env.from_path(f"tpch.{table}"))
    reads_back(query.query_operation, surroundings(env, FLINK))


@pytest.mark.parametrize("function", list(BUILT_INS), ids=lambda function: function.name)
def test_every_function_with_arguments_of_every_type(function: FunctionDefinition) -> None:
    calls = OneCall()
    around = Surroundings(dialect=FLINK, find_table=calls.find, time_zone="UTC")
    every = list(argument_lists(function))
    random.Random(function.name).shuffle(every)
    read = 0
    for arguments in every:
        if read == _CALLS and not _EXAMPLES:
            break
        call = call_or_none(function, arguments)
        if call is None:
            continue
        try:
            operation = calls.of(function, call)
        except ValidationException:
            # The call is none for a window or a grouping of its own.
            continue
        if operation is not None:
            read += reads_back(operation, around)


@given(chosen=st.lists(literals(), min_size=1, max_size=3))
@settings(max_examples=int(_EXAMPLES or 300), derandomize=_EXAMPLES is None)
def test_literals(chosen: list[ResolvedExpression]) -> None:
    names = tuple([f"x{i}" for i in range(len(chosen))])
    reads_back(project(SINGLE_ROW, tuple(chosen), names), Surroundings(dialect=FLINK))


@given(query=queries())
@settings(max_examples=int(_EXAMPLES or 150), derandomize=_EXAMPLES is None, suppress_health_check=list(HealthCheck))
def test_random_queries(query: RandomQuery, spark: SparkSession) -> None:
    reads_back(query.ours(OFFLINE).query_operation, AROUND)
