"""Functions made of expressions: their text, their types against Spark's, and inlined calls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from ir.calls import call as resolved_call
from ir.errors import CatalogException, TableException, ValidationException
from ir.expressions import ResolvedExpression
from ir.functions.definition import FunctionDefinition
from ir.types import LogicalType
from tableapi import DataTypes, DirectoryCatalog, EnvironmentSettings, Table, TableEnvironment, udf
from tableapi.expressions import call, coalesce, col, concat, lit
from tableapi.spark.types import from_spark
from tests.oracle.calls import COLUMNS
from tests.oracle.oracle import VIEW, Oracle

pytestmark = pytest.mark.long


@pytest.fixture
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    return TableEnvironment.create(settings.with_built_in_database_name("d").build())


def full_name(first: Any, last: Any = "x") -> Any:
    """Join two names."""
    return concat(first, lit(" "), last)


def test_functions_are_stored_as_sql(env: TableEnvironment) -> None:
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


def type_or_none(definition: FunctionDefinition, argument: ResolvedExpression) -> LogicalType | None:
    """Return the inferred type of a call; None if the call is rejected."""
    try:
        return resolved_call(definition, (argument,)).data_type
    except ValidationException:
        return None


@pytest.mark.parametrize("declared", FUNCTIONS)
def test_calls_have_sparks_types(spark: SparkSession, oracle: Oracle, env: TableEnvironment, declared: str) -> None:
    """Each function is created as a temporary one in Spark, and called with columns of every type."""
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
    definition = env._parts.lookup.find("f")
    # Whether Spark takes a type does not depend on NOT NULL: of a type that is refused here, it is asked once.
    columns = [
        column
        for kind in COLUMNS
        for place, column in enumerate(kind)
        if place == 0 or type_or_none(definition, column) is not None
    ]
    inferred = [type_or_none(definition, column) for column in columns]
    # A scalar subquery is always nullable, so it only shows whether Spark accepts the call.
    accepted = oracle.types([f"(SELECT of_expressions({c.as_serializable_string()}))" for c in columns], inferred)
    calls = [
        f"of_expressions({column.as_serializable_string()}) AS c{i}"
        for i, (column, found) in enumerate(zip(columns, accepted, strict=True))
        if found is not None
    ]
    actual = {field.name: field for field in spark.sql(f"SELECT {', '.join(calls)} FROM {VIEW}").schema.fields}
    wrong = []
    for i, (column, ours) in enumerate(zip(columns, inferred, strict=True)):
        field = actual.get(f"c{i}")
        found = None if field is None else from_spark(field.dataType, field.nullable)
        if ours is not found:
            wrong.append(f"{column.data_type}: inferred {ours}, Spark has {found}")
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
        (
            lambda a: a.sum + a,
            ["INT"],
            r"for many rows, but a stands outside of every aggregate in plus\(sum\(a\), a\)",
        ),
        (lambda a: 5, ["INT"], r"an expression or a table, but 5 was returned\. To run Python code for each row"),
        (lambda a, b: a, ["INT"], r"takes 2 arguments, but input_types has 1"),
        (lambda *a: a[0], ["INT"], r"takes 1 arguments, but input_types has 1; each has to have a type"),
        (lambda a: a & a, ["DATE"], r"Invalid call of AND"),
        (lambda a: a, ["NOTHING"], r"has no type 'NOTHING'"),
        (udf(lambda a: a, ["INT"], "INT"), ["INT"], r"one in Python has its types from its decorator"),
    ],
)
def test_wrong_functions(env: TableEnvironment, function: Any, types: list[str], message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        env.create_function("f", function, input_types=types)
    assert env.list_user_defined_functions() == []


# --- inlined ones and aggregates -------------------------------------------------------------------------------------


def spread(x: Any) -> Any:
    """Return how far values lie apart."""
    return x.max - x.min


@pytest.fixture
def files(env: TableEnvironment, tmp_path: Path) -> TableEnvironment:
    """An environment whose current catalog is a directory, with a view ``t``."""
    env.register_catalog("team", DirectoryCatalog("team", tmp_path))
    env.use_catalog("team")
    env.create_view("t", env.from_elements([(1, "a", 1), (2, None, 1), (5, "c", 2)], ["id", "s", "k"]))
    return env


def test_an_inlined_function_is_its_expression_in_the_tree(files: TableEnvironment, tmp_path: Path) -> None:
    files.create_function("by", lambda x, n=2: x * n, input_types=["BIGINT", "BIGINT"], inline=True, comment="it's")
    assert (tmp_path / "default" / "functions" / "by.sql").read_text() == (
        "CREATE FUNCTION `by`(\n  `x` BIGINT,\n  `n` BIGINT DEFAULT 2)\nRETURNS BIGINT\nCOMMENT 'it\\'s'\nINLINE\n"
        "RETURN\n`x` * `n`;\n"
    )
    t = files.from_path("t")
    written = t.select((col("k").cast(DataTypes.BIGINT()) * lit(3).cast(DataTypes.BIGINT())).alias("v"))
    assert t.select(call("by", col("k"), 3).alias("v")).query_operation is written.query_operation
    assert files.sql_query("SELECT by(n => 3, x => k) AS v FROM t").query_operation is written.query_operation
    with pytest.raises(
        ValidationException, match=r"Invalid call of by\(.* DATE NOT NULL\): argument 1 \(x\) is not <BIGINT>"
    ):
        files.sql_query("SELECT by(DATE '2024-01-01') FROM t")


def test_an_aggregate_is_kept_in_files_and_inlined(files: TableEnvironment, tmp_path: Path) -> None:
    files.create_function("spread", spread, input_types=["INT"], parameter_comments={"x": "of what"})
    assert (tmp_path / "default" / "functions" / "spread.sql").read_text() == (
        "CREATE AGGREGATE FUNCTION `spread`(\n  `x` INT COMMENT 'of what')\nRETURNS INT\n"
        "COMMENT 'Return how far values lie apart.'\nRETURN\nMAX(`x`) - MIN(`x`);\n"
    )
    query = files.sql_query("SELECT k, spread(id) AS s FROM t GROUP BY k")
    fluent = files.from_path("t").group_by(col("k")).select(col("k"), call("spread", col("id")).alias("s"))
    assert query.query_operation is fluent.query_operation
    for text in (
        "SELECT k, MAX(id) - MIN(id) AS s FROM t GROUP BY k",
        "SELECT k, MAX(id) FILTER (WHERE s > 'a') - MIN(id) FILTER (WHERE s > 'a') AS s FROM t GROUP BY k",
        "SELECT id, MAX(id) OVER (PARTITION BY k) - MIN(id) OVER (PARTITION BY k) AS s FROM t",
        "SELECT MAX(id) - MIN(id) AS s FROM t HAVING MAX(id) - MIN(id) > 1",
    ):
        condition = (
            " FILTER (WHERE s > 'a')" if "FILTER" in text else " OVER (PARTITION BY k)" if "OVER" in text else ""
        )
        short = text.replace(f"MAX(id){condition} - MIN(id){condition}", f"spread(id){condition}")
        assert short != text
        assert files.sql_query(short).query_operation is files.sql_query(text).query_operation
    with pytest.raises(ValidationException, match=r"spread does not support DISTINCT"):
        files.sql_query("SELECT spread(DISTINCT id) FROM t")
    with pytest.raises(ValidationException, match=r"the aggregate"):
        files.sql_query("SELECT id FROM t WHERE spread(id) > 1")


def test_handwritten_aggregates(files: TableEnvironment) -> None:
    files.execute_sql("CREATE AGGREGATE FUNCTION spread(x INT) RETURNS INT RETURN MAX(x) - MIN(x)")
    files.execute_sql("CREATE FUNCTION by2(x INT) RETURNS INT INLINE RETURN x * 2")
    made = files.sql_query("SELECT spread(id) AS s, by2(k) AS b FROM t GROUP BY k")
    again = files.sql_query("SELECT MAX(id) - MIN(id) AS s, k * 2 AS b FROM t GROUP BY k")
    assert made.query_operation is again.query_operation
    with pytest.raises(ValidationException, match=r"x stands outside of every aggregate"):
        files.execute_sql("CREATE AGGREGATE FUNCTION wrong(x INT) RETURNS INT RETURN MAX(x) - x")
    assert "wrong" not in files.list_user_defined_functions()
    with pytest.raises(ValidationException, match=r"AGGREGATE FUNCTION is one of SQL and gives one value"):
        files.execute_sql("CREATE AGGREGATE FUNCTION f AS 'a.b' LANGUAGE PYTHON")


def test_arguments_in_lambdas_are_not_confused(files: TableEnvironment) -> None:
    files.create_function(
        "shifted", lambda x, by: call("transform", x, lambda e: e + by), input_types=["ARRAY<INT>", "INT"], inline=True
    )
    query = files.sql_query("SELECT transform(array(1), e -> shifted(array(10), e)[0]) AS v")
    assert "`e_0` -> `e_0` + `e`" in query.as_serializable_string()


def test_spark_keeps_no_inlined_functions(spark: SparkSession) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    with pytest.raises(CatalogException, match=r"Spark stores no aggregates made of expressions"):
        env.create_function("spread", spread, input_types=["INT"])
    with pytest.raises(CatalogException, match=r"Spark stores no functions that are inlined"):
        env.execute_sql("CREATE FUNCTION by2(x INT) RETURNS INT INLINE RETURN x * 2")
    env.create_temporary_function("spread", spread, input_types=["INT"])
    assert "MAX(" in env.from_elements([(1,)], ["x"]).select(call("spread", col("x"))).as_serializable_string()


# --- table functions -------------------------------------------------------------------------------------------------


def rows_of_key(env: TableEnvironment) -> Callable[[Any, Any], Table]:
    return lambda k, least=0: (
        env.from_path("t").filter((col("k") == k) & (col("id") > least)).select(col("id"), col("s"))
    )


def test_a_table_function_is_a_query_with_parameters(files: TableEnvironment, tmp_path: Path) -> None:
    files.create_function("of_key", rows_of_key(files), input_types=["INT", "INT"], comment="rows")
    assert (tmp_path / "default" / "functions" / "of_key.sql").read_text() == (
        "CREATE FUNCTION `of_key`(\n  `k` INT,\n  `least` INT DEFAULT 0)\nRETURNS TABLE(\n  `id` INT,\n  `s` STRING)\n"
        "COMMENT 'rows'\nRETURN\nSELECT `id`, `s`\nFROM (\n    SELECT `id`, `s`, `k`\n    FROM (\n"
        "        SELECT `id`, `s`, `k`\n        FROM `default`.`t`\n    )\n"
        "    WHERE `k` = `of_key`.`k` AND `id` > `of_key`.`least`\n);\n"
    )
    query = files.sql_query("SELECT t.id, f.s FROM t, LATERAL of_key(t.k, least => 1) AS f")
    assert files.sql_query(query.as_serializable_string()).query_operation is query.query_operation
    assert query.get_resolved_schema().names == ("id", "s")


def test_table_functions_run_wherever_they_are_stored(spark: SparkSession, tmp_path: Path) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    env.register_catalog("team", DirectoryCatalog("team", tmp_path))
    env.use_catalog("team")
    env.create_view("t", env.from_elements([(1, "a", 1), (2, None, 1), (5, "c", 2)], ["id", "s", "k"]))
    env.create_function("of_key", rows_of_key(env), input_types=["INT", "INT"])
    env.create_temporary_system_function("of_keys", rows_of_key(env), input_types=["INT", "INT"])
    env.create_function(
        "again", lambda k: env.sql_query("SELECT * FROM of_key(1)").filter(col("id") < k), input_types=["INT"]
    )

    def known(key: Any) -> Table:
        # In a subquery, a parameter becomes the column that contains it.
        given = env.from_path("t").add_columns(key.alias("wanted"))
        return given.filter(
            col("id").in_(env.from_path("t").filter(col("k") == given.outer("wanted")).select(col("id")))
        ).select(col("id"))

    env.create_function("known", known, input_types=["INT"])
    expected = {
        "SELECT * FROM of_key(1)": [(1, "a"), (2, None)],
        "SELECT * FROM of_key(1, 1)": [(2, None)],
        "SELECT * FROM of_keys(k => 2)": [(5, "c")],
        "SELECT * FROM again(2)": [(1, "a")],
        "SELECT t.id, f.id FROM t, LATERAL of_key(t.k, t.id) AS f": [(1, 2)],
        "SELECT t.id, f.id FROM t, LATERAL of_key(abs(t.k) + 0, t.id - 1) AS f": [(1, 1), (1, 2), (2, 2), (5, 5)],
        "SELECT t.id, f.id FROM t LEFT JOIN LATERAL of_key(t.k + 1) AS f": [(1, 5), (2, 5), (5, None)],
        "SELECT t.id, f.id, g.id FROM t, LATERAL of_key(t.k, t.id) AS f, LATERAL of_key(f.id) AS g": [(1, 2, 5)],
        "SELECT (SELECT MAX(id) FROM of_key(1)) AS m": [(2,)],
        "SELECT * FROM known(1)": [(1,), (2,)],
        "SELECT t.id, f.id FROM t, LATERAL known(t.k) AS f WHERE t.id > 1": [(2, 1), (2, 2), (5, 5)],
    }
    for text, rows in expected.items():
        found = sorted([tuple(row) for row in env.sql_query(text).execute().collect()], key=repr)
        assert (text, found) == (text, rows)


@pytest.mark.parametrize(
    ("make", "types", "message"),
    [
        (lambda e: lambda k: e.from_path("v"), ["INT"], r"cannot depend on the temporary view 'v'"),
        (lambda e: lambda k: e.from_elements([(1,)], ["a"]).order_by(k), ["INT"], r"refers to the column 'k'"),
        (
            lambda e: lambda k: e.from_path("t").select(call("tmp", col("k"))),
            ["INT"],
            r"temporary function 'team\.default",
        ),
        (lambda e: lambda k: e.from_path("t").filter(e.from_path("t").outer("id") == k), ["INT"], r"refers to 'id' of"),
        (
            lambda e: (
                lambda w: e.from_path("t").filter(col("id").in_(e.from_path("t").filter(col("k") == w).select(1)))
            ),
            ["INT"],
            r"The subquery of in refers to the column 'w'.*to nothing further out\. Spark has it so as well, also for "
            r"a parameter of a function: make it a column of that operation first",
        ),
    ],
)
def test_wrong_table_functions(files: TableEnvironment, make: Any, types: list[str], message: str) -> None:
    files.create_temporary_view("v", files.from_path("t"))
    files.create_temporary_function("tmp", lambda x: x, input_types=["INT"])
    with pytest.raises(ValidationException, match=message):
        files.create_function("f", make(files), input_types=types)
    assert files.get_catalog("team").list_functions("default") == []


def test_invalid_options_are_rejected(files: TableEnvironment) -> None:
    with pytest.raises(ValidationException, match=r"inline is for functions that give one value"):
        files.create_function("f", lambda: files.from_path("t"), input_types=[], inline=True)
    with pytest.raises(ValidationException, match=r"has no parameter 'y'; it has \[x\]"):
        files.create_function("f", lambda x: x, input_types=["INT"], parameter_comments={"y": "?"})
    with pytest.raises(ValidationException, match=r"has no option 'inlined'\. Did you mean 'inline'"):
        files.create_temporary_function("f", lambda x: x, input_types=["INT"], inlined=True)
    with pytest.raises(ValidationException, match=r"a default is followed by defaults only"):
        files.create_function("f", lambda x, y: x, input_types=["INT", "INT"], defaults={"x": 1})
    files.create_temporary_system_function("tmp", lambda x: x, input_types=["INT"])
    with pytest.raises(ValidationException, match=r"cannot depend on the temporary function 'tmp'"):
        files.create_function("f", lambda x: call("tmp", x), input_types=["INT"])


def test_a_table_function_that_reads_itself_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    env.register_catalog("team", DirectoryCatalog("team", tmp_path))
    env.use_catalog("team")
    env.execute_sql("CREATE FUNCTION f(x INT) RETURNS TABLE(a INT) RETURN SELECT x AS a")
    env.execute_sql("CREATE OR REPLACE FUNCTION f(x INT) RETURNS TABLE(a INT) RETURN SELECT a FROM f(1)")
    with pytest.raises(ValidationException, match=r"calls itself"):
        env.sql_query("SELECT * FROM f(1)").execute()
    env.execute_sql("CREATE OR REPLACE FUNCTION f(x INT) RETURNS TABLE(a INT) RETURN SELECT 1 AS a")
    env.create_view("v", env.sql_query("SELECT a FROM f(1)"))
    env.execute_sql("CREATE OR REPLACE FUNCTION f(x INT) RETURNS TABLE(a INT) RETURN SELECT a FROM v")
    with pytest.raises(TableException, match=r"reads itself, by way of a function"):
        env.from_path("v").execute()


def test_views_of_spark_call_functions_of_spark_only(spark: SparkSession) -> None:
    from tableapi import InMemoryCatalog

    env = TableEnvironment.create(spark=spark.newSession())
    env.register_catalog("memory", InMemoryCatalog("memory", "d"))
    env.create_function("memory.d.full_name", full_name, input_types=["STRING", "STRING"])
    query = env.from_elements([("a",)], ["s"]).select(call("memory.d.full_name", col("s")).alias("x"))
    with pytest.raises(ValidationException, match=r"calls 'memory\.d\.full_name', which Spark does not have"):
        env.create_view("never_made", query)
