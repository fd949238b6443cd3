"""Types that depend on the call: grouped, filtered, distinct, over a window, or with an expected type.

Each query gets its types at build time, keeps them through every text and form, and has them in Spark.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from grammar.reading import parse_expression
from ir.call_expressions import Call
from ir.errors import TableException, ValidationException
from ir.expressions import ValueLiteral
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.identifiers import quote
from ir.inference.arguments import Constant, Literal, OneOf, Where
from ir.operations.project import project
from ir.operations.source import SINGLE_ROW, Values
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.types import LogicalType, NullType
from ir.unresolved import UnresolvedCall
from tableapi import (
    DataTypes,
    Dialect,
    DirectoryCatalog,
    EnvironmentSettings,
    Layout,
    ScalarFunction,
    Table,
    TableEnvironment,
    udaf,
    udf,
)
from tableapi.expressions import call, col, lit, row_interval
from tableapi.process_functions import StaticArgument, TypeInference
from tableapi.spark.types import from_spark
from tableapi.window import Over, Tumble
from tests.cases import some_nightly
from tests.user_functions import of_the_call as f

pytestmark = pytest.mark.long

ROWS = [(1, "a", 1, "1"), (2, "a", 2, "2"), (3, "b", 3, "3")]
FUNCTIONS = ("used", "windowed", "parsed", "parsed_later", "parsed_or_text", "plus_one")


def with_functions(env: TableEnvironment) -> TableEnvironment:
    env.create_temporary_view("t", env.from_elements(ROWS, ["id", "k", "n", "text"]))
    for name in FUNCTIONS:
        env.create_temporary_system_function(name, getattr(f, name))
    env.create_temporary_function("spread", lambda x: call("used", x).cast(DataTypes.INT()), input_types=["INT"])
    return env


@pytest.fixture(scope="module")
def env(spark: SparkSession) -> Iterator[TableEnvironment]:
    env = with_functions(TableEnvironment.create(spark=spark.newSession()))
    yield env
    env.drop_temporary_view("t")


@pytest.fixture(scope="module")
def offline() -> TableEnvironment:
    memory = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    return with_functions(TableEnvironment.create(memory))


def types(table: Table) -> list[str]:
    return [str(column.data_type.as_nullable()) for column in table.query_operation.schema.columns]


def check_texts(table: Table, env: TableEnvironment) -> None:
    """Check that a query keeps its tree and types through each text, Python code, pickling and storing."""
    operation = table.query_operation
    assert env.sql_query(table.as_serializable_string()).query_operation is operation
    flink = table.as_serializable_string(Dialect.FLINK)
    assert env.sql_query(flink, dialect=Dialect.FLINK).query_operation is operation
    merged = env.sql_query(table.as_serializable_string(layout=Layout.MERGED)).query_operation
    normal = operation.normalize()
    assert merged.normalize() is normal
    assert [c.data_type for c in normal.schema.columns] == [c.data_type for c in operation.schema.columns]
    assert pickle.loads(pickle.dumps(operation)) is operation
    if isinstance(operation, Values) or any(isinstance(o, Values) for o in operation.walk()):
        return
    scope: dict[str, Any] = {"env": env}
    exec(table.to_python(), scope)
    assert scope["result"].query_operation is operation
    env.create_temporary_view("stored", table)
    assert env.from_view_definition("stored").query_operation is operation
    env.drop_temporary_view("stored")


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    """Return the rows, after checking that Spark has the inferred types."""
    declared = [from_spark(field.dataType, field.nullable) for field in table.to_spark().schema.fields]
    assert [str(d.as_nullable()) for d in declared] == types(table)
    return sorted((tuple(row) for row in table.execute().collect()), key=repr)


def precise(table: Table) -> list[int]:
    """Return the precisions of decimal columns as the numbers that ``digits`` encodes."""
    found = [column.data_type for column in table.query_operation.schema.columns]
    return [d.precision - 2 for d in found if isinstance(d, type(DataTypes.DECIMAL(1, 0)))]


GROUPED, FILTERED, DISTINCT, OVER, PART = 1, 2, 4, 8, 16
USAGES: dict[str, tuple[str, list[int], list[tuple[Any, ...]]]] = {
    "of all rows": ("SELECT used(n) AS u FROM t", [0], [(3,)]),
    "of groups": ("SELECT k, used(n) AS u FROM t GROUP BY k", [GROUPED], [("a", 2), ("b", 1)]),
    "of filtered rows": (
        "SELECT used(n) FILTER (WHERE n > 1) AS u, used(DISTINCT k) AS v FROM t",
        [FILTERED, DISTINCT],
        [(2, 2)],
    ),
    "of filtered groups": (
        "SELECT k, used(DISTINCT n) FILTER (WHERE n > 2) AS u FROM t GROUP BY k",
        [GROUPED | FILTERED | DISTINCT],
        [("a", 0), ("b", 1)],
    ),
    "of grouping sets": (
        "SELECT k, used(n) AS u FROM t GROUP BY GROUPING SETS ((k), ())",
        [GROUPED],
        [("a", 2), ("b", 1), (None, 3)],
    ),
    "of a rollup": ("SELECT used(n) AS u FROM t GROUP BY ROLLUP (k)", [GROUPED], [(1,), (2,), (3,)]),
    "of groups by a constant": ("SELECT used(n) AS u FROM t GROUP BY 'x'", [GROUPED], [(3,)]),
    "within HAVING": ("SELECT k FROM t GROUP BY k HAVING used(n) > 1", [], [("a",)]),
    "to sort by": ("SELECT k FROM t GROUP BY k ORDER BY used(n) DESC LIMIT 1", [], [("a",)]),
    "beside the same of all rows": (
        "SELECT g.k, g.u, w.u AS w FROM (SELECT k, used(n) AS u FROM t GROUP BY k) g, (SELECT used(n) AS u FROM t) w",
        [GROUPED, 0],
        [("a", 2, 3), ("b", 1, 3)],
    ),
    "of a subquery": (
        "SELECT id, (SELECT used(n) FROM t s WHERE s.k = t.k) AS u FROM t",
        [0],
        [(1, 2), (2, 2), (3, 1)],
    ),
    "over a window": ("SELECT used(n) OVER (PARTITION BY k) AS u FROM t", [OVER], [(1,), (2,), (2,)]),
    "over a frame": (
        "SELECT id, used(n) OVER (PARTITION BY k ORDER BY id) AS u FROM t",
        [OVER | PART],
        [(1, 1), (2, 2), (3, 1)],
    ),
    "of filtered rows over a window": (
        "SELECT used(n) FILTER (WHERE n > 1) OVER () AS v FROM t WHERE id < 3",
        [OVER | FILTERED],
        [(1,), (1,)],
    ),
    "over a window of groups": (
        "SELECT k, used(SUM(n)) OVER () AS u, used(n) AS v FROM t GROUP BY k",
        [OVER, GROUPED],
        [("a", 2, 2), ("b", 2, 1)],
    ),
    "in cells of a pivot": (
        "SELECT * FROM (SELECT k, n FROM t) PIVOT (used(n) FOR k IN ('a', 'c'))",
        [FILTERED, FILTERED],
        [(2, None)],
    ),
    "in cells of a pivot of groups": (
        "SELECT * FROM (SELECT id, k, n FROM t) PIVOT (used(n) FOR k IN ('a')) WHERE id < 2",
        [GROUPED | FILTERED],
        [(1, 1)],
    ),
}


NOT_IN_FLINK = {
    "of filtered rows over a window": "an aggregate over a window has no condition there",
}


@pytest.mark.parametrize("name", USAGES)
def test_a_strategy_sees_the_usage(offline: TableEnvironment, name: str) -> None:
    sql, expected, _ = USAGES[name]
    table = offline.sql_query(sql)
    assert precise(table) == expected
    if name in NOT_IN_FLINK:
        assert offline.sql_query(table.as_serializable_string()).query_operation is table.query_operation
        with pytest.raises(TableException, match=NOT_IN_FLINK[name]):
            table.as_serializable_string(Dialect.FLINK)
    else:
        check_texts(table, offline)


@pytest.mark.parametrize("name", some_nightly(USAGES, each=9))
def test_spark_receives_the_type_of_the_usage(env: TableEnvironment, name: str) -> None:
    sql, _, expected = USAGES[name]
    shown = [tuple(Decimal(v) if isinstance(v, Decimal) else v for v in row) for row in rows_of(env.sql_query(sql))]
    assert shown == sorted(expected, key=lambda row: repr(tuple(Decimal(v) if isinstance(v, int) else v for v in row)))


WINDOWS = {
    "": 0b1100,
    "PARTITION BY k": 0b1101,
    "ORDER BY id": 0b1010,
    "PARTITION BY k ORDER BY id": 0b1011,
    "ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING": 0b1110,
    "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING": 0b1100,
    "ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW": 0b1010,
    "ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING": 0b0010,
    "ORDER BY id ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING": 0b0010,
    "ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING": 0b1010,
}


@pytest.mark.parametrize("window", WINDOWS)
def test_a_strategy_sees_the_window(offline: TableEnvironment, window: str) -> None:
    table = offline.sql_query(f"SELECT windowed(n) OVER ({window}) AS u FROM t")
    assert precise(table) == [1 + WINDOWS[window]]
    assert offline.sql_query(table.as_serializable_string()).query_operation is table.query_operation
    named = offline.sql_query(f"SELECT windowed(n) OVER w AS u FROM t WINDOW w AS ({window})")
    assert named.query_operation is table.query_operation


def test_fluent_calls_have_the_usage_of_sql(offline: TableEnvironment) -> None:
    t, used = offline.from_path("t"), call("used", col("n"))
    whole = Over.partition_by(col("k")).alias("w")
    tables = {
        "SELECT used(n) AS u FROM t": t.select(used.alias("u")),
        "SELECT k, used(n) AS u FROM t GROUP BY k": t.group_by(col("k")).select(col("k"), used.alias("u")),
        "SELECT k, used(n) AS u FROM t GROUP BY k ": t.group_by(col("k"))
        .aggregate(used.alias("u"))
        .select(col("k"), col("u")),
        "SELECT k, used(DISTINCT n) FILTER (WHERE n > 2) AS u FROM t GROUP BY k": t.group_by(col("k")).select(
            col("k"), used.distinct.where(col("n") > 2).alias("u")
        ),
        "SELECT used(n) OVER (PARTITION BY k) AS u FROM t": t.over_window(whole).select(used.over(col("w")).alias("u")),
        "SELECT used(n) OVER (PARTITION BY k) AS u FROM t ": t.select(
            used.over(Over.partition_by(col("k"))).alias("u")
        ),
    }
    for sql, table in tables.items():
        found = offline.sql_query(sql)
        assert types(found) == types(table)
        assert found.query_operation.normalize() is table.query_operation.normalize()
        check_texts(table, offline)


def test_groups_of_windows_have_keys(offline: TableEnvironment) -> None:
    timed = offline.sql_query("SELECT n, TIMESTAMP_NTZ '2024-01-01 00:00:00' AS at FROM t")
    grouped = timed.window(Tumble.over(lit(1).minutes).on(col("at")).alias("w")).group_by(col("w"))
    assert precise(grouped.select(call("used", col("n")).alias("u"))) == [GROUPED]
    counted = timed.window(Tumble.over(row_interval(2)).on(col("at")).alias("w")).group_by(col("w"))
    assert precise(counted.select(call("used", col("n")).alias("u"))) == [GROUPED]


def test_parts_of_inlined_aggregates_have_the_usage_of_the_call(
    env: TableEnvironment, offline: TableEnvironment
) -> None:
    for each in (env, offline):
        plain = "SELECT k, spread(n) AS u, spread(n) FILTER (WHERE n > 1) AS v FROM t GROUP BY k"
        same = "SELECT k, INT(used(n)) AS u, INT(used(n) FILTER (WHERE n > 1)) AS v FROM t GROUP BY k"
        assert each.sql_query(plain).query_operation is each.sql_query(same).query_operation
        over = each.sql_query("SELECT spread(n) OVER (PARTITION BY k) AS u FROM t")
        assert (
            over.query_operation
            is each.sql_query("SELECT INT(used(n) OVER (PARTITION BY k)) AS u FROM t").query_operation
        )
        check_texts(over, each)
    found = rows_of(env.sql_query("SELECT k, spread(n) FILTER (WHERE n > 1) AS v FROM t GROUP BY k"))
    assert found == [("a", 1), ("b", 1)]


EXPECTED: dict[str, tuple[str, list[str], list[tuple[Any, ...]]]] = {
    "by a cast": (
        "SELECT CAST(parsed(text) AS INT) AS a, CAST(parsed('[1, 2]') AS ARRAY<BIGINT>) AS b FROM t WHERE id = 1",
        ["INT", "ARRAY<BIGINT>"],
        [(1, [1, 2])],
    ),
    "by a cast of a row": (
        "SELECT CAST(parsed('[1, \"x\"]') AS STRUCT<a: INT, b: STRING>).b AS b",
        ["STRING"],
        [("x",)],
    ),
    "by a function that is called as a type": ("SELECT INT(parsed(text)) AS a FROM t WHERE id = 2", ["INT"], [(2,)]),
    "by an argument of a function of users": (
        "SELECT plus_one(parsed(text)) AS a FROM t",
        ["BIGINT"],
        [(2,), (3,), (4,)],
    ),
    "by an argument of a built-in one": ("SELECT UPPER(parsed('\"x\"')) AS a", ["STRING"], [("X",)]),
    "of an asynchronous function": (
        "SELECT id, CAST(parsed_later(text) AS INT) + 1 AS a FROM t",
        ["INT", "INT"],
        [(1, 2), (2, 3), (3, 4)],
    ),
    "by none": (
        "SELECT parsed_or_text('\"x\"') AS a, CONCAT(parsed_or_text('\"y\"'), 'z') AS b",
        ["STRING"] * 2,
        [("x", "yz")],
    ),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_strategy_sees_the_expected_type(offline: TableEnvironment, name: str) -> None:
    sql, expected, _ = EXPECTED[name]
    table = offline.sql_query(sql)
    assert types(table) == expected
    check_texts(table, offline)


@pytest.mark.parametrize("name", EXPECTED)
def test_spark_receives_the_expected_type(env: TableEnvironment, name: str) -> None:
    sql, _, expected = EXPECTED[name]
    assert rows_of(env.sql_query(sql)) == expected


def test_try_cast_expects_its_type(env: TableEnvironment) -> None:
    table = env.sql_query("SELECT TRY_CAST(parsed(text) AS INT) AS a FROM t")
    assert env.sql_query(table.as_serializable_string()).query_operation is table.query_operation
    assert rows_of(table) == [(1,), (2,), (3,)]


def test_the_text_casts_to_the_expected_type(offline: TableEnvironment) -> None:
    """The text alone determines the type: it casts to the expected type unless that changes nothing."""

    def text(sql: str) -> str:
        return offline.sql_query(sql).as_serializable_string().splitlines()[0]

    assert text("SELECT plus_one(parsed('1')) AS a") == "SELECT `plus_one`(CAST(`parsed`('1') AS BIGINT)) AS `a`"
    assert text("SELECT UPPER(parsed('1')) AS a") == "SELECT UPPER(CAST(`parsed`('1') AS STRING)) AS `a`"
    assert text("SELECT UPPER(parsed_or_text('1')) AS a") == "SELECT UPPER(`parsed_or_text`('1')) AS `a`"
    assert text("SELECT CAST(parsed('1') AS INT) AS a") == "SELECT CAST(`parsed`('1') AS INT) AS `a`"


def test_fluent_casts_and_arguments_expect_a_type(env: TableEnvironment, offline: TableEnvironment) -> None:
    parsed = call("parsed", col("text"))
    for each in (env, offline):
        table = each.from_path("t").select(
            parsed.cast(DataTypes.INT()).alias("a"),
            call("plus_one", parsed).alias("b"),
            f.parsed(col("text")).cast(DataTypes.SMALLINT()).alias("c"),
        )
        assert types(table) == ["INT", "BIGINT", "SMALLINT"]
    # An expression in several contexts gets the type of each context.
    both = offline.from_path("t").select(
        parsed.cast(DataTypes.INT()).alias("a"), parsed.cast(DataTypes.DATE()).alias("b")
    )
    assert types(both) == ["INT", "DATE"]
    check_texts(both, offline)


WHEREVER = [
    "SELECT parsed_or_text(text) AS a, CAST(a AS INT) AS b FROM t",
    "SELECT CAST(a AS INT) AS b, UPPER(a) AS c FROM (SELECT parsed_or_text(text) AS a FROM t)",
    "SELECT a + 1 AS b FROM (SELECT CAST(parsed(text) AS INT) AS a FROM t) WHERE a > 0",
    "SELECT CAST(parsed(text) AS INT) AS a, COUNT(*) AS n FROM t GROUP BY 1 HAVING CAST(parsed(text) AS INT) > 1",
    "SELECT CAST(a AS INT) AS b, n FROM (SELECT parsed_or_text(text) AS a, COUNT(*) AS n FROM t GROUP BY a)",
    "SELECT k, id FROM t ORDER BY CAST(parsed_or_text(text) AS INT)",
    "SELECT * FROM t WHERE EXISTS (SELECT 1 FROM t s WHERE CAST(parsed_or_text(s.text) AS INT) = t.n)",
    "SELECT t.id FROM t JOIN (SELECT id, parsed_or_text(text) AS x FROM t) s ON CAST(s.x AS INT) = t.n",
    "SELECT k, SUM(CAST(x AS INT)) AS s FROM (SELECT k, parsed_or_text(text) AS x FROM t) GROUP BY k",
    "SELECT IF(parsed_or_text(text) IS NULL, 1, CAST(parsed_or_text(text) AS BIGINT)) AS c FROM t",
    "SELECT k, used(n) AS u FROM t GROUP BY k QUALIFY ROW_NUMBER() OVER (ORDER BY k) = 1",
    "SELECT CAST(parsed(text) AS INT) AS a, plus_one(parsed(text)) AS b FROM t GROUP BY GROUPING SETS ((text), ())",
    "SELECT used(k) OVER (PARTITION BY k) AS a, used(n) AS b FROM t GROUP BY GROUPING SETS ((k), ())",
    "SELECT windowed(used(n)) OVER (ORDER BY k) AS a FROM t GROUP BY ROLLUP (k)",
    "SELECT parsed_or_text(parsed_or_text(text)) AS a, CAST(parsed_or_text(parsed_or_text(text)) AS INT) AS b FROM t",
    "SELECT DISTINCT used(n) AS u FROM t GROUP BY k, n",
    "WITH g AS (SELECT k, used(n) AS u FROM t GROUP BY k) SELECT a.u, b.u AS v FROM g a JOIN g b ON a.k = b.k",
    "SELECT used(n) OVER (PARTITION BY k) AS u FROM t WHERE id > 1 UNION ALL SELECT used(n) FROM t",
]


@pytest.mark.parametrize("sql", WHEREVER)
def test_types_stay_wherever_the_call_stands(offline: TableEnvironment, sql: str) -> None:
    """This matters most in MERGED, which must not move a call under a cast from another step."""
    check_texts(offline.sql_query(sql), offline)


def _asking(env: TableEnvironment, data_type: LogicalType) -> FunctionDefinition:
    """Return a function whose result has the expected type, or else ``data_type``."""

    class Asking(ScalarFunction):
        def eval(self, value: Any) -> Any:
            return value

        def get_type_inference(self) -> TypeInference:
            value = StaticArgument.scalar("value", None)
            return TypeInference([value], lambda call: call.get_output_data_type() or data_type)

    name = f"asking_{data_type.as_summary_string()}".lower()
    if name not in env.list_user_defined_functions():
        env.create_temporary_system_function(quote(name), udf(Asking()))
    return env._parts.lookup.find(name)


def takes_a_constant(function: FunctionDefinition, position: int) -> bool:
    strategy = function.inference.inputs.strategy_for(position)
    options = strategy.options if isinstance(strategy, OneOf) else (strategy,)
    return all(isinstance(option, (Constant, Literal, Where)) for option in options)


LOWERED = [
    f for f in BUILT_INS if not f.emission.in_spark and f.documentation.example and f.kind is FunctionKind.SCALAR
]


@pytest.mark.parametrize("function", LOWERED, ids=lambda f: f.name)
def test_replacements_of_functions_keep_types(offline: TableEnvironment, function: FunctionDefinition) -> None:
    """A lowering may cast an argument; the cast must not change the type of a call in that argument."""
    assert function.documentation.example is not None
    example = ExpressionResolver(Scope(()), offline._parts.lookup).resolve(
        parse_expression(function.documentation.example[0])
    )
    for part in example.walk():
        if not isinstance(part, Call) or part.function is not function or part.contents:
            continue
        for position, argument in enumerate(part.arguments):
            if not isinstance(argument, (ValueLiteral, Call)) or isinstance(argument.data_type, NullType):
                continue
            asking = UnresolvedCall(_asking(offline, argument.data_type.as_nullable()), (argument,))
            arguments = (*part.arguments[:position], asking, *part.arguments[position + 1 :])
            if takes_a_constant(function, position):
                continue
            resolver = ExpressionResolver(Scope(()), offline._parts.lookup)
            made = resolver.resolve(UnresolvedCall(function, arguments))
            query = project(SINGLE_ROW, (made,), ("x",))
            assert offline.sql_query(query.as_serializable_string()).query_operation is query
            merged = query.as_serializable_string(layout=Layout.MERGED)
            assert offline.sql_query(merged).query_operation.normalize() is query.normalize()


def test_rows_of_values_have_one_type(offline: TableEnvironment) -> None:
    table = offline.sql_query("SELECT * FROM VALUES (CAST(parsed('1') AS INT)), (2) AS v(a)")
    check_texts(table, offline)
    # Neither value is expected to have their common type.
    table = offline.sql_query("SELECT * FROM VALUES (CAST(parsed_or_text('1') AS INT)), (2.5) AS v(a)")
    assert types(table) == ["DECIMAL(11, 1)"]
    check_texts(table, offline)


def test_errors_without_an_expected_type_suggest_a_cast(offline: TableEnvironment) -> None:
    message = r"Parsed has no result type for \(STRING NOT NULL\) where no type is expected.*CAST\(f\(…\) AS INT\)"
    for sql in ("SELECT parsed('1')", "SELECT parsed('1') + 1", "SELECT parsed('1') = 1"):
        with pytest.raises(ValidationException, match=message):
            offline.sql_query(sql)
    with pytest.raises(ValidationException, match=r"cannot return INTERVAL YEAR TO MONTH"):
        offline.sql_query("SELECT CAST(parsed('1') AS INTERVAL YEAR TO MONTH)")


@pytest.mark.parametrize(
    ("sql", "shown"),
    [
        ("SELECT none(n) FROM t", "of all rows"),
        ("SELECT none(n) FROM t GROUP BY k", "of groups"),
        ("SELECT none(n) OVER () FROM t", "over a window"),
    ],
)
def test_usages_without_a_type_are_refused(offline: TableEnvironment, sql: str, shown: str) -> None:
    class NoType(f.Used):
        def get_type_inference(self) -> TypeInference:
            return TypeInference([StaticArgument.scalar("value", None)], lambda call: None)

    offline.create_temporary_system_function("none", udaf(NoType()))
    try:
        with pytest.raises(ValidationException, match=rf"NoType has no result type for \(INT NOT NULL\) {shown}: its"):
            offline.sql_query(sql)
    finally:
        offline.drop_temporary_system_function("none")


def test_the_result_type_is_expected_of_the_body(env: TableEnvironment) -> None:
    env.execute_sql("CREATE TEMPORARY FUNCTION day_of(x STRING) RETURNS INT RETURN parsed(x)")
    assert rows_of(env.sql_query("SELECT day_of(text) AS d FROM t")) == [(1,), (2,), (3,)]
    env.create_temporary_function("small", lambda x: call("parsed", x), input_types=["STRING"], result_type="SMALLINT")
    assert types(env.sql_query("SELECT small(text) AS d FROM t")) == ["SMALLINT"]
    env.execute_sql(
        "CREATE TEMPORARY FUNCTION both(x STRING) RETURNS TABLE (a INT, b DATE) RETURN SELECT parsed(x), NULL"
    )
    assert types(env.sql_query("SELECT a FROM both('1')")) == ["INT"]
    # The expected type of an argument is the type of the parameter.
    assert rows_of(env.sql_query("SELECT day_of(parsed('\"7\"')) AS d")) == [(7,)]


def test_column_types_are_expected_of_inserts(env: TableEnvironment) -> None:
    env.execute_sql("DROP TABLE IF EXISTS of_the_call")
    env.execute_sql("CREATE TABLE of_the_call (a INT, b STRING, c ARRAY<INT>) USING parquet")
    try:
        env.execute_sql("INSERT INTO of_the_call SELECT parsed(text), k, parsed('[1]') FROM t WHERE id = 1")
        env.execute_sql("INSERT INTO of_the_call (c, a) SELECT parsed('[2]'), parsed(text) FROM t WHERE id = 2")
        env.execute_sql("INSERT INTO of_the_call BY NAME SELECT parsed('[3]') AS c, parsed('3') AS a")
        env.execute_sql("INSERT INTO of_the_call VALUES (parsed('4'), 'v', parsed('[4]')), (5, parsed('\"w\"'), NULL)")
        env.execute_sql(
            "INSERT INTO of_the_call WITH s AS (SELECT '6' AS x) SELECT parsed(x), x, parsed('[6]') FROM s "
            "UNION ALL SELECT 7, 'y', parsed('[7]')"
        )
        found = rows_of(env.from_path("of_the_call"))
    finally:
        env.execute_sql("DROP TABLE of_the_call")
    assert found == [
        (1, "a", [1]),
        (2, None, [2]),
        (3, None, [3]),
        (4, "v", [4]),
        (5, "w", None),
        (6, "6", [6]),
        (7, "y", [7]),
    ]


def test_views_over_such_functions_are_stored_and_read(tmp_path: Path) -> None:
    """Another environment reads them, as another process would."""
    memory = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()

    def team() -> TableEnvironment:
        env = TableEnvironment.create(memory)
        env.get_config().set("python.functions.packages", "tests")
        env.register_catalog("team", DirectoryCatalog("team", tmp_path))
        env.use_catalog("team")
        return env

    first = team()
    for name in ("used", "parsed"):
        first.create_function(name, getattr(f, name))
    first.create_view("t", first.from_elements(ROWS, ["id", "k", "n", "text"]))
    queries = {
        "grouped": "SELECT k, used(n) AS u, CAST(used(n) AS STRING) AS s FROM t GROUP BY k",
        "windowed": "SELECT used(n) OVER (ORDER BY id) AS u, CAST(parsed(text) AS DATE) AS d FROM t",
    }
    for name, sql in queries.items():
        first.create_view(name, first.sql_query(sql))
    second = team()
    for name, sql in queries.items():
        assert types(second.from_path(name)) == types(first.sql_query(sql))
        assert second.from_view_definition(name).query_operation is second.sql_query(sql).query_operation
