"""SQL written for Flink is read back as the equal tree: every program, function and literal.

``tests.random_queries`` has random queries. TABLEAPI_EXAMPLES=2000 runs that many new literals, and every call of the
functions.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from hypothesis import given, settings
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
from tableapi import DataTypes as T
from tableapi import EnvironmentSettings, TableEnvironment
from tableapi.expressions import coalesce, col, cumulative_windows, explode, lit, null_of
from tableapi.window import Cumulate, Tumble
from tests.cases import every, fewer
from tests.grammar.reading import OneCall, surroundings
from tests.oracle.calls import ALL_CALLS, SOME_CALLS, argument_lists, call_or_none
from tests.programs import PROGRAMS, Program
from tests.programs.tables import Tables, environment_without_spark
from tests.strategies import literals

_EXAMPLES = os.environ.get("TABLEAPI_EXAMPLES")
_CALLS = fewer(25)
FLINK = Dialect.FLINK
OFFLINE = Tables(environment_without_spark())
AROUND = surroundings(OFFLINE.env, FLINK)


def reads_back(operation: QueryOperation, around: Surroundings) -> bool:
    """Assert that a query with a text for Flink is read back; return whether it has such a text."""
    try:
        text = operation.as_serializable_string(FLINK)
    except TableException:
        return False
    found = parse_query(text, around)
    # Nodes are interned: equal trees are one object.
    assert found is operation, f"{text}\n--- was:\n{operation!r}\n--- is read as:\n{found!r}"
    return True


@every("program", PROGRAMS.values, lambda program: program.name)
def test_every_program(program: Program) -> None:
    assert reads_back(program.build(OFFLINE).query_operation, AROUND) is not bool(program.no_flink)


@pytest.mark.parametrize("name", QUERIES)
def test_tpch(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    env = TableEnvironment.create(settings.with_built_in_database_name("tpch").build())
    declare(env, "tpch", tmp_path_factory.mktemp("tpch"))
    query = QUERIES[name](lambda table: env.from_path(f"tpch.{table}"))
    reads_back(query.query_operation, surroundings(env, FLINK))


@pytest.mark.slow
@every("function", lambda: BUILT_INS, lambda function: function.name)
def test_every_function_with_arguments_of_every_type(function: FunctionDefinition) -> None:
    calls = OneCall()
    around = Surroundings(dialect=FLINK, find_table=calls.find, time_zone="UTC")
    every = list(argument_lists(function, ALL_CALLS if _EXAMPLES else SOME_CALLS))
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
            # The call is invalid in a window or a grouping by itself.
            continue
        if operation is not None:
            read += reads_back(operation, around)


@given(chosen=st.lists(literals(), min_size=1, max_size=3))
@settings(max_examples=int(_EXAMPLES or fewer(300)), derandomize=_EXAMPLES is None)
def test_literals(chosen: list[ResolvedExpression]) -> None:
    names = tuple([f"x{i}" for i in range(len(chosen))])
    reads_back(project(SINGLE_ROW, tuple(chosen), names), Surroundings(dialect=FLINK))


# --- trees that must not share a text ------------------------------------------------------------------------------

_READINGS = "spark_catalog.programs.readings"
_N, _BIG, _DAY = col("n"), col("big"), col("day")
_ONE_DAY = lit(1).day
# Groups of expressions whose short forms in Flink's SQL would be the same text.
_ALIKE = [
    (_N / _BIG, _N.cast(T.DOUBLE()) / _BIG, _N.cast(T.DOUBLE()) / _BIG.cast(T.DOUBLE())),
    (_BIG.cast(T.INT()) + _N, _BIG.cast(T.INT()) + "7", _BIG.cast(T.INT()) + lit("7").cast(T.INT())),
    (lit(5, T.BIGINT()), lit(5).cast(T.BIGINT()), lit(5, T.BIGINT()).cast(T.BIGINT())),
    (_DAY + _ONE_DAY, _ONE_DAY + _DAY),
    (_N.is_null, _N.is_not_distinct_from(null_of(T.INT())), _N.is_not_distinct_from(lit(None))),
    (_N.between("1", _BIG), (_N >= "1") & (_N <= _BIG)),
    (col("n").cast(T.STRING()).like("a"), col("n").like("a")),
    (lit("x").like("a\\_"), lit("x").like("a\\_", "\\")),
    (coalesce(None, _N), coalesce(null_of(T.INT()), _N)),
    (_BIG.cast(T.STRING()).substring(_N, 2), _BIG.substring(_N, 2)),
]


@pytest.mark.parametrize("expressions", _ALIKE, ids=str)
def test_trees_with_equal_flink_meaning(expressions: tuple[Any, ...]) -> None:
    table = OFFLINE.env.from_path(_READINGS)
    texts = set()
    for expression in expressions:
        operation = table.select(expression.alias("x")).query_operation
        assert reads_back(operation, AROUND)
        texts.add(operation.as_serializable_string(FLINK))
    assert len(texts) == len(expressions)


def test_an_order_in_the_middle_and_one_at_the_end() -> None:
    table = OFFLINE.env.from_path(_READINGS)
    early = table.order_by(_N).filter(_BIG > 1).select(_BIG)
    late = table.filter(_BIG > 1).select(_BIG, _N.alias("sort_key_0")).order_by(col("sort_key_0")).select(_BIG)
    both = table.order_by(_N).filter(_BIG > 1).order_by(_N)
    for query in (early, late, both, table.order_by(_N).filter(_BIG > 1)):
        assert reads_back(query.query_operation, AROUND)


def test_casts_of_a_union_that_the_query_has() -> None:
    table = OFFLINE.env.from_path(_READINGS)
    implicit = table.select(_N.alias("x")).union_all(table.select(col("level").alias("x")))
    explicit = table.select(_N.cast(T.DOUBLE()).alias("x")).union_all(table.select(col("level").alias("x")))
    assert reads_back(implicit.query_operation, AROUND)
    assert reads_back(explicit.query_operation, AROUND)


# --- SQL as people write it ------------------------------------------------------------------------------------------

_TUMBLED = """
SELECT CAST(ROW(window_start, window_end) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS w, SUM(n) AS s
FROM TABLE({})
GROUP BY window_start, window_end
"""


@pytest.mark.parametrize(
    "function",
    [
        "TUMBLE(TABLE spark_catalog.programs.readings, DESCRIPTOR(`at`), INTERVAL '10' MINUTE)",
        "tumble(data => TABLE spark_catalog.programs.readings, timecol=>descriptor(at), size => INTERVAL '600' SECOND)",
        "TUMBLE((SELECT * FROM spark_catalog.programs.readings), DESCRIPTOR(at), INTERVAL '10:00' MINUTE TO SECOND(3))",
    ],
)
def test_window_table_functions(function: str) -> None:
    table = OFFLINE.env.from_path(_READINGS)
    window = Tumble.over(lit(10).minutes).on(col("at")).alias("w")
    wanted = table.window(window).group_by(col("w")).select(col("w"), _N.sum.alias("s"))
    assert parse_query(_TUMBLED.format(function), AROUND) is wanted.query_operation


_CUMULATED = "TABLE(CUMULATE({}, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE))"


@pytest.mark.parametrize("data", ["TABLE {}, DESCRIPTOR(`at`)", "data => TABLE {}, timecol => DESCRIPTOR(at)"])
def test_cumulative_windows(data: str) -> None:
    table = OFFLINE.env.from_path(_READINGS)
    source = (
        _CUMULATED.format(data.format(_READINGS))
        if "=>" not in data
        else (f"TABLE(CUMULATE({data.format(_READINGS)}, size => INTERVAL '10' MINUTE, step => INTERVAL '5' MINUTE))")
    )
    grouped = f"SELECT window_start AS a, window_end AS b, SUM(n) AS s FROM {source} GROUP BY window_start, window_end"
    window = Cumulate.over(lit(10).minutes).every(lit(5).minutes).on(col("at")).alias("window")
    wanted = (
        table.window(window)
        .group_by(col("window"))
        .select(col("window").start.alias("a"), col("window").end.alias("b"), _N.sum.alias("s"))
    )
    assert parse_query(grouped, AROUND) is wanted.query_operation
    rows = table.join_lateral(explode(cumulative_windows(col("at"), "5 minutes", "10 minutes")).alias("window"))
    of_rows = rows.select(_N, col("window").end.alias("until"))
    assert parse_query(f"SELECT n, window_end AS until FROM {source}", AROUND) is of_rows.query_operation


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT n FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(a), INTERVAL '1' DAY))", "CUMULATE needs SIZE"),
        (
            "SELECT n FROM TABLE(CUMULATE(TABLE spark_catalog.programs.readings, DESCRIPTOR(at), INTERVAL '2' DAY, "
            "INTERVAL '3' DAY))",
            "must be a multiple of their step: the size is '3 days', the step '2 days'",
        ),
        ("SELECT n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(a)))", "TUMBLE needs SIZE"),
        (
            "SELECT n FROM TABLE(TUMBLE(DATA => 1, TIMECOL => DESCRIPTOR(a), SIZE => INTERVAL '1' DAY))",
            "A table is exp",
        ),
        (
            "SELECT 1 FROM spark_catalog.programs.readings GROUP BY TUMBLE(at)",
            "TUMBLE is no function of expressions: it adds windows to a table, in FROM TUMBLE",
        ),
        ("SELECT (1 + 2) DAY", r"\(a - b\) DAY"),
        ("SELECT 5L", "has no suffix L"),
        ("SELECT 'a' LIKE ANY ('a', 'b')", "Flink's SQL has no LIKE ANY; write a LIKE for each pattern"),
        ("SELECT n FROM spark_catalog.programs.readings FETCH FIRST ROW ONLY", "FETCH takes the number of rows"),
        ("SELECT n + 1 AS x, x + 1 FROM spark_catalog.programs.readings", r"Cannot resolve field \[x\]"),
        ("SELECT COUNT(r.*) FROM spark_catalog.programs.readings AS r", r"COUNT does not take r\.\*"),
        ("SELECT EXTRACT(MILLISECOND FROM at) FROM spark_catalog.programs.readings", "only a TIME can have it here"),
        ("SELECT SHUFFLE(ARRAY[1, 2])", "Flink"),
    ],
)
def test_rejected_queries(text: str, reason: str) -> None:
    with pytest.raises(TableException, match=reason):
        parse_query(text, AROUND)


@pytest.mark.parametrize(
    ("text", "spark"),
    [
        ("SELECT ARRAY[1, 2][1] AS x, MAP['a', 1]['a'] AS y",
         "SELECT TRY_ELEMENT_AT(ARRAY(1, 2), 1) AS x, MAP('a', 1)['a'] AS y"),
        ("SELECT n FROM spark_catalog.programs.readings OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY",
         "SELECT n FROM spark_catalog.programs.readings LIMIT 3 OFFSET 2"),
        ("SELECT t FROM spark_catalog.programs.products CROSS JOIN UNNEST(tags) AS u(t)",
         "SELECT t FROM spark_catalog.programs.products JOIN LATERAL EXPLODE(tags) AS u(t)"),
        ("SELECT t FROM spark_catalog.programs.products, UNNEST(tags) AS u(t)",
         "SELECT t FROM spark_catalog.programs.products JOIN LATERAL EXPLODE(tags) AS u(t)"),
        ("SELECT t FROM spark_catalog.programs.products, LATERAL TABLE(UNNEST(tags)) AS u(t)",
         "SELECT t FROM spark_catalog.programs.products JOIN LATERAL EXPLODE(tags) AS u(t)"),
        ("SELECT a, b, o FROM UNNEST(ARRAY[ROW(1, 'a'), ROW(2, 'b')]) WITH ORDINALITY AS t(a, b, o)",
         "SELECT element.`EXPR$0` AS a, element.`EXPR$1` AS b, o + 1 AS o FROM POSEXPLODE(ARRAY("
         "NAMED_STRUCT('EXPR$0', 1, 'EXPR$1', 'a'), NAMED_STRUCT('EXPR$0', 2, 'EXPR$1', 'b'))) AS u(o, element)"),
        ("SELECT n BETWEEN SYMMETRIC 3 AND 0 AS x FROM spark_catalog.programs.readings",
         "SELECT n BETWEEN 3 AND 0 OR n BETWEEN 0 AND 3 AS x FROM spark_catalog.programs.readings"),
        ("SELECT SUM(n) OVER (w ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS x FROM spark_catalog.programs.readings "
         "WINDOW w AS (ORDER BY n)",
         "SELECT SUM(n) OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS x "
         "FROM spark_catalog.programs.readings"),
        ("SELECT EXTRACT(MILLISECOND FROM t) AS x FROM (SELECT CAST(n AS TIME(3)) AS t FROM (VALUES ('9')) AS v(n))",
         "SELECT CAST(EXTRACT(SECOND FROM t) * 1000 AS BIGINT) % 1000L AS x "
         "FROM (SELECT CAST(n AS TIME(3)) AS t FROM VALUES ('9') AS v(n))"),
        ("SELECT FLOOR(d TO CENTURY) AS x FROM (SELECT DATE '2024-01-01' AS d)",
         "SELECT CAST(TIME_BUCKET(INTERVAL '100' YEAR, CAST(d AS TIMESTAMP_NTZ), TIMESTAMP_NTZ '2001-01-01 00:00:00') "
         "AS DATE) AS x FROM (SELECT DATE '2024-01-01' AS d)"),
        ("SELECT EXTRACT(CENTURY FROM d) AS x FROM (SELECT DATE '2024-01-01' AS d)",
         "SELECT EXTRACT(CENTURY FROM d) AS x FROM (SELECT DATE '2024-01-01' AS d)"),
        ("SELECT TO_TIMESTAMP_LTZ(1000, 3) AS x", "SELECT TIMESTAMP_LTZ '1970-01-01 00:00:01Z' AS x"),
        ("SELECT 12345678901 AS x, CAST(5 AS SMALLINT) AS y", "SELECT 12345678901L AS x, 5S AS y"),
    ],
)  # fmt: skip
def test_forms_of_flink_only(text: str, spark: str) -> None:
    assert parse_query(text, AROUND) is parse_query(spark, surroundings(OFFLINE.env))


def test_deep_and_wide_expressions_are_read_in_linear_time() -> None:
    table = OFFLINE.env.from_path(_READINGS)
    deep = _N
    for _ in range(1500):
        deep = deep / lit(3)
    assert reads_back(table.select(deep.alias("x")).query_operation, AROUND)
    assert reads_back(table.filter(_N.in_(*range(1500))).query_operation, AROUND)
