"""Queries are read back from their documents as the same tree: programs, texts, TPC-H, TPC-DS, functions, literals."""

from __future__ import annotations

import random
from functools import cache

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.tpch.data import declare
from examples.tpch.queries import QUERIES
from ir.errors import TableException, ValidationException
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.identifiers import ObjectIdentifier
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.source import SINGLE_ROW, Source, Values
from ir.schema import ResolvedSchema
from ir.types import STRING, LogicalType, MapType
from serializer.tree_json.reading import read_tree
from serializer.tree_json.writing import write_tree
from tableapi import EnvironmentSettings, Table, TableEnvironment, udf
from tableapi.expressions import call, col
from tests.cases import every, fewer
from tests.grammar.reading import OneCall
from tests.metamorphic.corpus import tree, tree_names
from tests.oracle.calls import SOME_CALLS, argument_lists, call_or_none
from tests.process_functions.calls import CALLS
from tests.process_functions.tables import environment as process_environment
from tests.programs.tables import environment_without_spark
from tests.serializer.tree_json.documents import round_trip, schema_errors
from tests.sql.corpus import Query, read_with_names
from tests.sql.corpus import queries as sql_queries
from tests.strategies import literals, logical_types, names
from tests.tpcds.queries import queries as tpcds_queries
from tests.tpcds.tables import definitions


@pytest.mark.slow
@every("name", tree_names, str, alike=True)
def test_every_program_and_query(name: str) -> None:
    assert schema_errors(round_trip(tree(name))) == []


@pytest.mark.parametrize("name", QUERIES)
def test_tpch(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    built_in = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    env = TableEnvironment.create(built_in.with_built_in_database_name("tpch").build())
    declare(env, "tpch", tmp_path_factory.mktemp("tpch"))
    text = round_trip(QUERIES[name](lambda table: env.from_path(f"tpch.{table}")).query_operation)
    assert schema_errors(text) == []


@cache
def _tpcds() -> TableEnvironment:
    env = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    for name, definition in definitions().items():
        env.execute_sql(f"{definition} LOCATION '/tpcds/{name}'")
    return env


@every("name", tpcds_queries, str)
def test_tpcds(name: str) -> None:
    read = _tpcds().sql_query(tpcds_queries()[name])
    text = read.to_tree_json()
    again = _tpcds().from_tree_json(text)
    assert again.query_operation is read.query_operation
    assert again.to_tree_json() == text
    # The names that the text gives to relations are part of the document.
    assert again.as_serializable_string(layout="MERGED") == read.as_serializable_string(layout="MERGED")


@every("query", sql_queries, lambda query: query.name)
def test_names_of_relations(query: Query) -> None:
    operation, given_names = read_with_names(query.text)
    text = write_tree(operation, given_names)
    found = read_tree(text)
    assert write_tree(found.operation, found.names) == text
    flat = given_names.flattened()
    inside = {*operation.walk_with_subqueries()}
    assert found.names.steps == {op: name for op, name in flat.steps.items() if op in inside}
    assert found.names.aliases == {place: name for place, name in flat.aliases.items() if place[0] in inside}
    assert found.names.relations == {op: name for op, name in flat.relations.items() if op in inside}
    assert found.names.sort_keys == {op: keys for op, keys in flat.sort_keys.items() if op in inside}


@every("function", lambda: BUILT_INS, lambda function: function.name)
def test_every_function_with_arguments_of_every_type(function: FunctionDefinition) -> None:
    calls = OneCall()
    lists = list(argument_lists(function, fewer(SOME_CALLS)))
    random.Random(function.name).shuffle(lists)
    for arguments in lists[: fewer(25)]:
        made = call_or_none(function, arguments)
        if made is None:
            continue
        try:
            operation = calls.of(function, made)
        except ValidationException:
            # The call is invalid in a window or a grouping by itself.
            continue
        if operation is not None:
            round_trip(operation)


@given(chosen=st.lists(literals(), min_size=1, max_size=3))
@settings(max_examples=fewer(300), derandomize=True)
def test_literals(chosen: list[ResolvedExpression]) -> None:
    text = round_trip(project(SINGLE_ROW, tuple(chosen), tuple([f"x{i}" for i in range(len(chosen))])))
    assert schema_errors(text) == []


@given(data_type=logical_types(), name=names())
@settings(max_examples=fewer(200), derandomize=True)
def test_types_and_names(data_type: LogicalType, name: str) -> None:
    source = Source(ObjectIdentifier(name, name, name), ResolvedSchema.of([name], [data_type]))
    assert schema_errors(round_trip(source)) == []


# --- user-defined functions ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    made = environment_without_spark()
    made.create_temporary_system_function("twice", udf(lambda i: i * 2, input_types=["BIGINT"], result_type="BIGINT"))
    made.create_temporary_function("halve", udf(lambda i: i // 2, input_types=["BIGINT"], result_type="BIGINT"))
    return made


def _orders(env: TableEnvironment) -> Table:
    return env.from_path("orders")


def test_registered_functions_are_found_by_name(env: TableEnvironment) -> None:
    query = _orders(env).select(call("twice", col("order_id")).alias("a"), call("halve", col("order_id")).alias("b"))
    text = query.to_tree_json()
    assert '{"function": "user-defined", "path": ["twice"], "kind": "SCALAR"}' in text
    assert '"path": ["spark_catalog", "programs", "halve"]' in text
    assert schema_errors(text) == []
    assert env.from_tree_json(text).query_operation is query.query_operation


def test_a_function_without_a_name_is_refused(env: TableEnvironment) -> None:
    thrice = udf(lambda i: i * 3, input_types=["BIGINT"], result_type="BIGINT", name="thrice")
    query = _orders(env).select(thrice(col("order_id")).alias("a"))
    with pytest.raises(TableException, match=r"The function thrice cannot be stored.*Register it with create_temp"):
        query.to_tree_json()


def test_a_function_that_the_environment_lacks_is_refused(env: TableEnvironment) -> None:
    text = _orders(env).select(call("twice", col("order_id")).alias("a")).to_tree_json()
    with pytest.raises(ValidationException, match=r"at /functions/0/path: There is no function named 'twice'"):
        environment_without_spark().from_tree_json(text)
    with pytest.raises(ValidationException, match=r"at /functions/0/path: .* user-defined function twice"):
        QueryOperation.from_json(text)


def test_a_function_of_another_type_is_refused(env: TableEnvironment) -> None:
    text = _orders(env).select(call("twice", col("order_id")).alias("a")).to_tree_json()
    other = environment_without_spark()
    other.create_temporary_system_function("twice", udf(lambda i: "", input_types=["BIGINT"], result_type="STRING"))
    with pytest.raises(ValidationException, match=r"twice\(order_id\) is of type STRING, but BIGINT was given"):
        other.from_tree_json(text)


@pytest.fixture(scope="module")
def with_process_functions() -> TableEnvironment:
    return process_environment()


@every("name", lambda: CALLS, str)
def test_process_table_functions(name: str, with_process_functions: TableEnvironment) -> None:
    query = CALLS[name].build(with_process_functions)
    text = query.to_tree_json()
    assert schema_errors(text) == []
    assert with_process_functions.from_tree_json(text).query_operation is query.query_operation


def test_anonymous_data_is_refused() -> None:
    table = environment_without_spark().from_arrow(pa.table({"a": [1]}))
    with pytest.raises(TableException, match=r"anonymous .* with the columns .*create_temporary_view"):
        table.to_tree_json()


def test_a_typed_null_and_values_without_rows() -> None:
    kind = MapType(STRING, STRING)
    round_trip(project(SINGLE_ROW, (ValueLiteral(None, kind),), ("m",)))
    round_trip(Values(ResolvedSchema.of(["m"], [kind]), ()))


def test_the_corpora_are_complete() -> None:
    """Without their files, the tests above would pass over few queries."""
    assert len(tree_names()) > 1_800
    assert len(tpcds_queries()) > 100
    assert len(CALLS) > 20
