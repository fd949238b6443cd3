"""Functions made of expressions: their text, their types against Spark's, their values in place of a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from ir.errors import TableException, ValidationException
from ir.functions.calls import call as resolved_call
from tableapi import DataTypes, EnvironmentSettings, TableEnvironment, udf
from tableapi.expressions import call, coalesce, col, concat, lit
from tableapi.spark.types import from_spark
from tests.oracle.calls import COLUMNS
from tests.oracle.oracle import VIEW, Oracle


@pytest.fixture
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    return TableEnvironment.create(settings.with_built_in_database_name("d").build())


def full_name(first: Any, last: Any = "x") -> Any:
    """Join two names."""
    return concat(first, lit(" "), last)


def test_what_is_stored_is_sql(env: TableEnvironment) -> None:
    env.create_function("full_name", full_name, input_types=["STRING", DataTypes.STRING()])
    stored = env.get_catalog("memory").get_function("d", "full_name")
    assert stored is not None
    assert stored.body == "CONCAT(`first`, ' ', `last`)"
    assert [(p.name, str(p.data_type), p.default) for p in stored.parameters] == (
        [("first", "STRING", None), ("last", "STRING", "'x'")]
    )
    assert (str(stored.returns), stored.comment) == ("STRING", "Join two names.")


FUNCTIONS: dict[str, tuple[Callable[..., Any], list[str]]] = {
    "INT": (lambda x: x, ["INT"]),
    "BIGINT": (lambda x: x + 1, ["BIGINT"]),
    "STRING": (lambda x: x.upper_case, ["STRING"]),
    "DOUBLE": (lambda x: coalesce(x, 0.5), ["DOUBLE"]),
    "DECIMAL(10, 2)": (lambda x: x * x, ["DECIMAL(10, 2)"]),
    "DATE": (lambda x: x, ["DATE"]),
    "ARRAY<INT>": (lambda x: x.cardinality, ["ARRAY<INT>"]),
}


@pytest.mark.parametrize("declared", FUNCTIONS)
def test_calls_have_sparks_types(spark: SparkSession, oracle: Oracle, env: TableEnvironment, declared: str) -> None:
    """Each function is made a temporary one of Spark, and called with columns of every type."""
    function, types = FUNCTIONS[declared]
    env.create_function("f", function, input_types=types)
    stored = env.get_catalog("memory").get_function("d", "f")
    assert stored is not None
    returns = stored.returns
    assert returns is not None
    taken = stored.parameters[0].data_type.as_serializable_string()
    spark.sql(
        f"CREATE OR REPLACE TEMPORARY FUNCTION of_expressions(x {taken}) "
        f"RETURNS {returns.as_serializable_string()} RETURN {stored.body}"
    )
    definition = env._function_lookup.find("f")
    columns = [column for kind in COLUMNS for column in kind]
    # A scalar subquery may be NULL, so that it tells of a call alone whether Spark accepts it.
    accepted = oracle.types([f"(SELECT of_expressions({c.as_serializable_string()}))" for c in columns])
    calls = [
        f"of_expressions({column.as_serializable_string()}) AS c{i}"
        for i, (column, found) in enumerate(zip(columns, accepted, strict=True))
        if found is not None
    ]
    actual = {field.name: field for field in spark.sql(f"SELECT {', '.join(calls)} FROM {VIEW}").schema.fields}
    wrong = []
    for i, column in enumerate(columns):
        try:
            inferred = resolved_call(definition, (column,)).data_type
        except ValidationException:
            inferred = None
        field = actual.get(f"c{i}")
        found = None if field is None else from_spark(field.dataType, field.nullable)
        if inferred is not found:
            wrong.append(f"{column.data_type}: inferred {inferred}, Spark has {found}")
    assert len(calls) > 3
    spark.sql("DROP TEMPORARY FUNCTION of_expressions")
    assert wrong == []


def test_a_body_takes_the_place_of_a_call_where_spark_has_no_such_function(spark: SparkSession) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    env.create_temporary_view("t", env.from_elements([(1, "a"), (2, None)], ["id", "s"]))
    env.create_temporary_system_function("full_name", full_name, input_types=["STRING", "STRING"])
    twice = udf(lambda x: 2 * x, ["BIGINT"], "BIGINT", name="twice")
    env.create_temporary_system_function("twice", twice)
    env.create_temporary_function("again", lambda x: call("twice", x) + call("twice", x), input_types=["BIGINT"])
    query = env.sql_query("SELECT full_name(s), full_name(s, id), again(id), again('3') FROM t WHERE again(id) > 0")
    assert [tuple(row) for row in query.execute().collect()] == [("a x", "a 1", 4, 12), (None, None, 8, 12)]
    assert env.sql_query(query.as_serializable_string()).query_operation is query.query_operation


def test_an_argument_that_changes_is_not_computed_twice(spark: SparkSession) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    dice = udf(lambda: 4, result_type="BIGINT", deterministic=False, name="dice")
    env.create_temporary_system_function("doubled", lambda x: x + x, input_types=["BIGINT"])
    t = env.from_elements([(1,)], ["id"])
    with pytest.raises(TableException, match=r"The argument dice\(\) gives another value each time"):
        t.select(call("doubled", dice()).alias("x")).execute()
    assert [tuple(r) for r in t.select(dice().alias("d")).select(call("doubled", col("d"))).execute().collect()] == [
        (8,)
    ]


@pytest.mark.parametrize(
    ("function", "types", "message"),
    [
        (lambda a: a.sum, ["INT"], r"is one of values, and sum\(a\) aggregates rows"),
        (lambda a: 5, ["INT"], r"returns an expression, but 5 was returned\. To run Python code for each row"),
        (lambda a, b: a, ["INT"], r"takes 2 arguments, but input_types has 1"),
        (lambda *a: a[0], ["INT"], r"takes 1 arguments, but input_types has 1; each has to have a type"),
        (lambda a: a & a, ["DATE"], r"Invalid call of AND"),
        (lambda a: a, ["NOTHING"], r"there is no type 'NOTHING'"),
        (udf(lambda a: a, ["INT"], "INT"), ["INT"], r"one in Python has its types from its decorator"),
    ],
)
def test_wrong_functions(env: TableEnvironment, function: Any, types: list[str], message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        env.create_function("f", function, input_types=types)
    assert env.list_user_defined_functions() == []


def test_views_of_spark_call_functions_of_spark_only(spark: SparkSession) -> None:
    from tableapi import InMemoryCatalog

    env = TableEnvironment.create(spark=spark.newSession())
    env.register_catalog("memory", InMemoryCatalog("memory", "d"))
    env.create_function("memory.d.full_name", full_name, input_types=["STRING", "STRING"])
    query = env.from_elements([("a",)], ["s"]).select(call("memory.d.full_name", col("s")).alias("x"))
    with pytest.raises(ValidationException, match=r"calls 'memory\.d\.full_name', which Spark does not have"):
        env.create_view("never_made", query)
