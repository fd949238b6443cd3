"""A non-deterministic expression is written once for each of its uses, or rejected as in Spark."""

from __future__ import annotations

import pytest

from ir.errors import TableException, ValidationException
from ir.rendering import Dialect
from tableapi import DataTypes, Table
from tableapi.expressions import array, call, col, explode, rand, uuid
from tests.programs.tables import Tables, environment_without_spark

TABLES = Tables(environment_without_spark())
ENV = TABLES.env

REFUSED_IN_SQL = {
    "SELECT SUM(RAND()) FROM left_bag": "AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION",
    "SELECT y, MAX(x + RAND(1)) FROM left_bag GROUP BY y": "AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION",
    "SELECT COUNT(DISTINCT UUID()) FROM left_bag": "AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION",
    "SELECT MAX((SELECT RAND())) FROM left_bag": "AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION",
    "SELECT SUM(x) FILTER (WHERE RAND() > 0.5) FROM left_bag": "INVALID_AGGREGATE_FILTER.NON_DETERMINISTIC",
    "SELECT * FROM left_bag AS l JOIN right_bag AS r ON l.x = r.x + RAND()": "INVALID_NON_DETERMINISTIC_EXPRESSIONS",
    "SELECT * FROM left_bag AS l LEFT SEMI JOIN right_bag AS r ON l.x = r.x + RAND()": (
        "INVALID_NON_DETERMINISTIC_EXPRESSIONS"
    ),
    "SELECT x FROM left_bag JOIN customers ON SPARK_PARTITION_ID() = id": "INVALID_NON_DETERMINISTIC_EXPRESSIONS",
    "SELECT * FROM left_bag, LATERAL EXPLODE(ARRAY(RAND()))": (
        "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.NON_DETERMINISTIC_LATERAL_SUBQUERIES"
    ),
    "SELECT * FROM left_bag, LATERAL (SELECT x + RAND() AS z)": (
        "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.NON_DETERMINISTIC_LATERAL_SUBQUERIES"
    ),
    "SELECT * FROM VALUES (RAND())": "INVALID_INLINE_TABLE.CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE",
}


@pytest.mark.parametrize(("query", "condition"), REFUSED_IN_SQL.items())
def test_refused_with_the_condition_of_spark(query: str, condition: str) -> None:
    with pytest.raises(ValidationException) as raised:
        ENV.sql_query(query)
    assert raised.value.condition == condition


ACCEPTED = [
    "SELECT x FROM left_bag WHERE RAND() > 0.5",
    "SELECT COUNT(*) FROM left_bag GROUP BY RAND()",
    "SELECT y, RAND(), COUNT(*) FROM left_bag GROUP BY y",
    "SELECT y, COUNT(*) FROM left_bag GROUP BY y HAVING COUNT(*) > RAND()",
    "SELECT x FROM left_bag ORDER BY RAND()",
    "SELECT x, RAND() AS r FROM left_bag ORDER BY r",
    "SELECT SUM(RAND()) OVER (PARTITION BY RAND() ORDER BY UUID()) FROM left_bag",
    "SELECT x FROM left_bag WHERE x IN (RAND(), 2)",
    "SELECT (SELECT RAND()) FROM left_bag",
    "SELECT DISTINCT RAND() FROM left_bag",
]


@pytest.mark.parametrize("query", ACCEPTED)
def test_accepted_as_by_spark(query: str) -> None:
    table = ENV.sql_query(query)
    assert ENV.sql_query(table.as_serializable_string()).query_operation is table.query_operation


@pytest.mark.parametrize(
    "query",
    [
        "SELECT RAND() AS r, r + 1 AS s FROM left_bag",
        "SELECT RAND() AS r, COUNT(*) FROM left_bag GROUP BY r",
        "SELECT RAND() AS r, COUNT(*) FROM left_bag GROUP BY 1",
        "SELECT RAND() AS r, COUNT(*) FROM left_bag GROUP BY ALL",
        "SELECT x, RAND() AS r FROM left_bag QUALIFY r > 0.5",
    ],
)
def test_a_name_is_not_computed_again(query: str) -> None:
    with pytest.raises(ValidationException, match=r"would be computed once more here, and RAND has another value"):
        ENV.sql_query(query)


def test_two_calls_are_two_values() -> None:
    number = rand()
    text = TABLES.left_bag.select(number.alias("a"), number.alias("b")).as_serializable_string()
    assert text.startswith("SELECT RAND() AS `a`, RAND() AS `b`\n")


def test_a_key_is_computed_once() -> None:
    grouped = TABLES.left_bag.group_by(rand().alias("r")).select(col("r"), col("x").count)
    assert grouped.as_serializable_string().count("RAND()") == 1
    again = TABLES.left_bag.group_by(rand()).select(rand(), col("x").count)
    assert again.as_serializable_string().startswith("SELECT RAND() AS `_c0`")


def test_seeded_keys_are_selected() -> None:
    grouped = TABLES.left_bag.group_by(rand(1)).select(rand(1).alias("r"), col("x").count.alias("n"))
    assert grouped.as_serializable_string().count("RAND(1)") == 1


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda t: t.left_bag.select((col("x") + rand()).sum),
            r"The aggregate sum\(plus\(x, rand\(\)\)\) is of rand\(\)",
        ),
        (lambda t: t.left_bag.select(col("x").sum.where(rand() > 0.5)), r"where of SUM holds rand\(\)"),
        (lambda t: t.left_bag.join(t.customers, col("x") == col("id") + rand()), r"The join condition holds rand\(\)"),
        (lambda t: t.left_bag.join_lateral(explode(array(uuid())).alias("u")), r"join_lateral computes uuid\(\)"),
        (lambda t: t.left_bag.rollup(col("x"), rand()).select(col("x")), r"A key of rollup, cube or grouping_sets"),
    ],
)
def test_refused_fluently(build: object, message: str) -> None:
    assert callable(build)
    with pytest.raises(ValidationException, match=message):
        build(TABLES)


def test_beside_one_row_a_lateral_join_is_accepted() -> None:
    one = ENV.from_elements([(1,)], ["one"])
    made: Table = one.join_lateral(explode(array(rand(), rand())).alias("r"))
    assert made.as_serializable_string().count("RAND()") == 2


def test_flink_text_evaluates_nondeterministic_calls_once() -> None:
    once = TABLES.left_bag.select(call("GREATEST", rand() * 2, 1.0))
    assert once.as_serializable_string(Dialect.FLINK).count("RAND()") == 1
    twice = TABLES.left_bag.select(call("LEAST", rand() * col("x"), 1.0))
    with pytest.raises(TableException, match="is NULL as soon as one value is"):
        twice.as_serializable_string(Dialect.FLINK)
    start = TABLES.left_bag.select(col("y").substring((rand() * 3).cast(DataTypes.INT())))
    assert start.as_serializable_string(Dialect.FLINK).count("RAND()") == 1
    part = TABLES.left_bag.select(col("y").substring((rand() * 3).cast(DataTypes.INT()), 2))
    with pytest.raises(TableException, match="it would have to be computed twice, and has another value each time"):
        part.as_serializable_string(Dialect.FLINK)
