"""Ordered aggregates and their NULL treatment: which calls are one tree, and which are rejected."""

from __future__ import annotations

import pytest

from ir.errors import TableException, ValidationException
from tableapi import JsonOnNull, Table, TableEnvironment
from tableapi.expressions import col, json_array_agg, json_object_agg, mode, percentile_cont
from tableapi.window import Over


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    made = TableEnvironment.create()
    made.create_temporary_view("t", made.from_elements([(1, "a", 2.5)], ["i", "s", "d"]))
    return made


@pytest.fixture(scope="module")
def t(env: TableEnvironment) -> Table:
    return env.from_path("t")


REFUSED = [
    (
        lambda: col("i").sum.within_group(col("s")),
        "SUM does not support within_group. It is for aggregates whose result depends on the order of the rows: "
        "LISTAGG, PERCENTILE_CONT, PERCENTILE_DISC and MODE.",
        "INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX",
    ),
    (
        lambda: percentile_cont(0.5),
        "PERCENTILE_CONT needs an order: percentile_cont(…).within_group(col('a')).",
        "INVALID_WITHIN_GROUP_EXPRESSION.WITHIN_GROUP_MISSING",
    ),
    (
        lambda: percentile_cont(0.5).within_group(col("i"), col("d")),
        "PERCENTILE_CONT takes one sort key in within_group, but 2 were given.",
        "INVALID_WITHIN_GROUP_EXPRESSION.WRONG_NUM_ORDERINGS",
    ),
    (
        lambda: col("s").mode.within_group(col("s")),
        "MODE takes no order beside its arguments in within_group, but 1 was given.",
        "INVALID_WITHIN_GROUP_EXPRESSION.WRONG_NUM_ORDERINGS",
    ),
    (
        lambda: col("s").mode.distinct,
        "MODE does not support DISTINCT. It is for aggregate functions whose result depends on how often a value "
        "occurs.",
        "INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX",
    ),
    (
        lambda: percentile_cont(1.5).within_group(col("i")),
        "Invalid call of PERCENTILE_CONT(1.5 DOUBLE NOT NULL): argument 1 (percentage) is not <DOUBLE literal from 0 "
        "to 1, or array of some>. Supported: PERCENTILE_CONT(percentage <DOUBLE literal from 0 to 1, or array of "
        "some>).",
        "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE",
    ),
    (
        lambda: percentile_cont(0.5).within_group(col("i") > 0),
        "PERCENTILE_CONT cannot order its rows by greaterThan(i, 0) of type BOOLEAN NOT NULL: a key must be <NUMERIC, "
        "INTERVAL or TIME> and have an order.",
        "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
    ),
    (
        lambda: col("s").list_agg(",").distinct.within_group(col("i")),
        "LISTAGG with DISTINCT is ordered by the value itself, s, but was given i: of equal values, the other ones "
        "would be lost.",
        "INVALID_WITHIN_GROUP_EXPRESSION.MISMATCH_WITH_DISTINCT_INPUT",
    ),
    (
        lambda: col("d").list_agg(",").distinct.within_group(col("d")),
        "LISTAGG with DISTINCT cannot be ordered by d of type DOUBLE NOT NULL, of which different values have the same "
        "text. Cast it to STRING in both places.",
        "INVALID_WITHIN_GROUP_EXPRESSION.MISMATCH_WITH_DISTINCT_INPUT_UNSAFE_CAST",
    ),
    (
        lambda: col("s").list_agg(",").within_group(col("i").sum),
        "It's not allowed to use an aggregate function as input of another aggregate function: sum(i) in "
        "withinGroup(listAgg(s, ','), asc(sum(i))). Select the inner one under a name first, and aggregate that.",
        "NESTED_AGGREGATE_FUNCTION",
    ),
    (
        lambda: col("d").median.over(Over.order_by(col("i"))),
        "median(d) is computed over a whole partition: its window takes neither order_by nor a frame.",
        "INVALID_WINDOW_SPEC_FOR_AGGREGATION_FUNC",
    ),
    (
        lambda: col("s").list_agg(",").within_group(col("i")).over(Over.order_by(col("i"))),
        "withinGroup(listAgg(s, ','), asc(i)) is computed over a whole partition: its window takes neither order_by "
        "nor a frame.",
        "INVALID_WINDOW_SPEC_FOR_AGGREGATION_FUNC",
    ),
    (
        lambda: col("i").sum.ignore_nulls,
        "SUM does not support IGNORE NULLS. It is for functions that pick the value of one row: FIRST_VALUE, "
        "LAST_VALUE, ANY_VALUE, NTH_VALUE, LAG and LEAD.",
        "INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX",
    ),
    (
        lambda: json_object_agg(JsonOnNull.NULL, col("i"), col("s")),
        "Invalid call of JSON_OBJECTAGG(NULL, INT NOT NULL, STRING NOT NULL): argument 2 (key) is not <STRING>. "
        "Supported: JSON_OBJECTAGG(on_null <NULL | ABSENT>, key <STRING>, value <ANY but shapes>).",
        "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
    ),
]


@pytest.mark.parametrize(("build", "message", "condition"), REFUSED, ids=[message[:40] for _, message, _ in REFUSED])
def test_refused(t: Table, build: object, message: str, condition: str) -> None:
    assert callable(build)
    with pytest.raises(ValidationException) as refused:
        t.select(build())
    assert str(refused.value) == message
    assert refused.value.condition == condition


def test_queries_that_fail_in_spark_are_rejected(t: Table) -> None:
    with pytest.raises(TableException) as refused:
        t.select(col("s").list_agg(",").distinct.within_group(col("s")).where(col("i") > 0))
    assert str(refused.value) == (
        "LISTAGG cannot have DISTINCT, an order and a condition at once: Spark fails as it runs. Leave the other rows "
        "out first, with a filter."
    )


def test_within_group_is_for_calls_and_takes_keys() -> None:
    message = "within_group takes the sort keys of an aggregate, as in col('a').list_agg(',').within_group(col('b'))."
    for build in (lambda: col("a").within_group(col("b")), lambda: col("a").list_agg(",").within_group()):
        with pytest.raises(ValidationException) as refused:
            build()
        assert str(refused.value) == message
    with pytest.raises(ValidationException) as refused:
        col("a").list_agg(",").within_group(col("b")).within_group(col("c"))
    assert str(refused.value) == "The aggregate has an order already; give within_group all keys at once."


@pytest.mark.parametrize(
    ("fluent", "sql"),
    [
        (
            lambda: col("s").list_agg(",").within_group(col("i").desc),
            "STRING_AGG(s, ',') WITHIN GROUP (ORDER BY i DESC)",
        ),
        (
            lambda: percentile_cont(0.5).within_group(col("i").asc.nulls_last),
            "percentile_cont(0.5D) WITHIN GROUP (ORDER BY i)",
        ),
        (lambda: mode().within_group(col("s")), "mode() WITHIN GROUP (ORDER BY s NULLS LAST)"),
        (lambda: col("i").first_value.ignore_nulls, "first(i, TRUE)"),
        (lambda: col("i").first_value, "first(i) RESPECT NULLS"),
        (lambda: col("i").any_value.ignore_nulls, "any_value(i) IGNORE NULLS"),
        (lambda: col("i").array_agg, "collect_list(i) IGNORE NULLS"),
        (lambda: col("i").array_agg.respect_nulls, "array_agg(i) RESPECT NULLS"),
        (lambda: col("i").stddev_samp, "std(i)"),
        (lambda: col("i").var_samp, "variance(i)"),
        (lambda: (col("i") > 0).bool_or, "some(i > 0)"),
        (lambda: (col("i") > 0).bool_or, "any(i > 0)"),
        (lambda: (col("i") > 0).bool_and, "every(i > 0)"),
        (lambda: json_array_agg(JsonOnNull.ABSENT, col("i")), "JSON_ARRAYAGG(i)"),
        (lambda: json_object_agg(JsonOnNull.NULL, col("s"), col("i")), "JSON_OBJECTAGG(KEY s VALUE i)"),
    ],
)
def test_equal_aggregates_are_one_tree(env: TableEnvironment, fluent: object, sql: str) -> None:
    assert callable(fluent)
    built = env.from_path("t").select(fluent().alias("x"))
    assert env.sql_query(f"SELECT {sql} AS x FROM t").query_operation is built.query_operation
