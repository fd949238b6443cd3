"""SQL is read back as the equal tree: every program, function and literal; tests.random_queries has random queries.

TABLEAPI_EXAMPLES=2000 runs that many new literals, and every call of the functions.
"""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.tpch.data import declare
from examples.tpch.queries import QUERIES
from grammar.reading import Surroundings, parse_query
from ir.errors import TableException, ValidationException
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.source import SINGLE_ROW
from tableapi import DataTypes as T
from tableapi import EnvironmentSettings, InMemoryCatalog, TableEnvironment
from tableapi.types import DataType
from tests.cases import every, fewer
from tests.grammar.reading import OneCall, surroundings
from tests.oracle.calls import ALL_CALLS, SOME_CALLS, argument_lists, call_or_none, usual_order
from tests.programs import PROGRAMS, Program
from tests.programs.tables import Tables, environment_without_spark
from tests.strategies import literals

_EXAMPLES = os.environ.get("TABLEAPI_EXAMPLES")
_CALLS = fewer(40)
OFFLINE = Tables(environment_without_spark())
AROUND = surroundings(OFFLINE.env)


def assert_reads_back(operation: QueryOperation, around: Surroundings, text: str | None = None) -> None:
    text = operation.as_serializable_string() if text is None else text
    found = parse_query(text, around)
    # Nodes are interned: equal trees are one object.
    assert found is operation, f"{text}\n--- was:\n{operation!r}\n--- is read as:\n{found!r}"


@every("program", PROGRAMS.values, lambda program: program.name)
def test_every_program(program: Program) -> None:
    assert_reads_back(program.build(OFFLINE).query_operation, AROUND)


@pytest.mark.parametrize("program", list(PROGRAMS.values())[::10], ids=list(PROGRAMS)[::10])
def test_round_trip_in_other_namespaces(program: Program) -> None:
    """Written SQL contains full paths, so that it means the same in any current catalog and database."""
    env = environment_without_spark()
    operation = program.build(Tables(env)).query_operation
    around = surroundings(env)
    env.register_catalog("elsewhere", InMemoryCatalog("elsewhere", "other"))
    env.use_catalog("elsewhere")
    assert_reads_back(operation, around)


@pytest.mark.parametrize("name", QUERIES)
def test_tpch(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    env = TableEnvironment.create(settings.with_built_in_database_name("tpch").build())
    declare(env, "tpch", tmp_path_factory.mktemp("tpch"))
    query = QUERIES[name](lambda table: env.from_path(f"tpch.{table}"))
    assert_reads_back(query.query_operation, surroundings(env))


def _reads_back_or_not_written(operation: QueryOperation, around: Surroundings) -> bool:
    try:
        text = operation.as_serializable_string()
    except TableException:
        return False
    assert_reads_back(operation, around, text)
    return True


@pytest.mark.slow
@every("function", lambda: BUILT_INS, lambda function: function.name)
def test_every_function_with_arguments_of_every_type(function: FunctionDefinition) -> None:
    calls = OneCall()
    around = Surroundings(find_table=calls.find, time_zone="UTC")
    every = list(argument_lists(function, ALL_CALLS if _EXAMPLES else SOME_CALLS))
    random.Random(function.name).shuffle(every)
    read = 0
    for arguments in every:
        if read == _CALLS and not _EXAMPLES:
            break
        call = call_or_none(function, arguments, order_by=usual_order(function, arguments))
        if call is None:
            continue
        try:
            operation = calls.of(function, call)
        except ValidationException:
            # The call is invalid in a window or a grouping by itself.
            continue
        if operation is not None:
            read += _reads_back_or_not_written(operation, around)
    assert read or function.sql_name in _WITHOUT_QUERIES, f"no call of {function} was read"


# Functions that need the keys of grouping sets, or arguments that the oracle's lists lack. The programs test them.
_WITHOUT_QUERIES = (
    "GROUPING",
    "GROUPING_ID",
    "SESSION_WINDOW",
    "WINDOW_TIME",
    "INLINE",
    "INLINE_OUTER",
    "REFLECT",
    "TRY_REFLECT",
    "COLLATE",
    "SLIDING_WINDOWS",
)


@pytest.mark.parametrize(
    ("rows", "field"),
    [
        ([(1,), (2,)], T.INT()),
        ([(1,), (None,)], T.INT()),
        ([(None,)], T.ARRAY(T.INT())),
        ([([1],), (None,), ([],)], T.ARRAY(T.INT())),
        ([({"a": 1},)], T.MAP(T.STRING(), T.INT())),
        ([((1, None),), ((None, 2),)], T.ROW([T.FIELD("x", T.INT()), T.FIELD("y", T.INT(), "the second")])),
        ([("a",)], T.VARCHAR(3)),
        ([], T.STRING(False)),
        ([], T.ARRAY(T.INT(False), False)),
    ],
)
def test_rows_of_a_declared_type(rows: list[tuple[object]], field: DataType) -> None:
    """The text of VALUES keeps neither nullability that only a declaration gives nor the comment of a field."""
    table = OFFLINE.env.from_elements(rows, T.ROW([T.FIELD("a", field, "what it is")]))
    assert_reads_back(table.query_operation, AROUND)


@given(literal=literals())
@settings(max_examples=int(_EXAMPLES or fewer(300)), derandomize=_EXAMPLES is None)
def test_every_literal(literal: ValueLiteral) -> None:
    assert_reads_back(project(SINGLE_ROW, (literal,), ("x",)), Surroundings())


@given(chosen=st.lists(literals(), min_size=2, max_size=4))
@settings(max_examples=int(_EXAMPLES or 100), derandomize=_EXAMPLES is None)
def test_literals_beside_each_other(chosen: list[ResolvedExpression]) -> None:
    names = tuple([f"x{i}" for i in range(len(chosen))])
    assert_reads_back(project(SINGLE_ROW, tuple(chosen), names), Surroundings())
