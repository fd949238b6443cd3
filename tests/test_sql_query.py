"""Queries and expressions as SQL text: the same trees as fluent ones, parameters, view definitions, errors."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from tableapi import (
    DataTypes,
    Dialect,
    EnvironmentSettings,
    FunctionNotExistException,
    ResolvedSchema,
    Row,
    SqlParserException,
    Table,
    TableEnvironment,
    TableException,
    TableNotExistException,
    ValidationException,
)
from tableapi.catalog import CatalogTable, CatalogView
from tableapi.catalog.in_memory import InMemoryCatalog
from tableapi.expressions import call, call_sql, col, lit, null_of, row
from tableapi.udf import udf


@pytest.fixture
def env() -> TableEnvironment:
    made = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("mem").build())
    made.create_temporary_view("orders", made.from_elements([(1, "a", 2.5), (2, "b", None)], ["id", "name", "amount"]))
    columns = ResolvedSchema.of(["k", "select", "a b"], [DataTypes.INT(), DataTypes.STRING(), DataTypes.DATE()])
    made.get_catalog("mem").create_table("default_database", "stored", CatalogTable(columns))
    other = InMemoryCatalog("other", "db")
    other.create_table("db", "far", CatalogTable(ResolvedSchema.of(["x"], [DataTypes.BIGINT()])))
    made.register_catalog("other", other)
    return made


def same(left: Table, right: Table) -> bool:
    return left.query_operation is right.query_operation


# --- queries ---------------------------------------------------------------------------------------------------------


def test_a_query_in_sql_is_the_fluent_one_and_goes_on(env: TableEnvironment) -> None:
    orders = env.from_path("orders")
    read = env.sql_query("SELECT id, upper(name) AS n FROM orders WHERE amount > 1")
    assert same(
        read.filter(col("id") > 1),
        orders.filter(col("amount") > 1).select(col("id"), call("upper", col("name")).alias("n")).filter(col("id") > 1),
    )
    assert repr(read.get_resolved_schema()) == "(`id` INT NOT NULL, `n` STRING NOT NULL)"
    assert env._parts.runtime.started is None


@pytest.mark.parametrize(
    "text",
    [
        "SELECT x FROM other.db.far",
        "SELECT x FROM OTHER.`DB`.`Far`;",
        "-- first\nSELECT x FROM other.db.far;;\n",
        "FROM other.db.far SELECT x",
        "TABLE other.db.far",
        "WITH w AS (SELECT x FROM other.db.far) SELECT x FROM w",
    ],
)
def test_tables_are_found_as_by_from_path(env: TableEnvironment, text: str) -> None:
    assert same(env.sql_query(text), env.from_path("other.db.far"))


def test_the_current_catalog_and_database_are_used(env: TableEnvironment) -> None:
    with pytest.raises(TableNotExistException) as caught:
        env.sql_query("SELECT x FROM far")
    assert caught.value.condition == "TABLE_OR_VIEW_NOT_FOUND"
    env.use_catalog("other")
    assert env.sql_query("SELECT x FROM far").query_operation.schema.names == ("x",)
    assert env.sql_query("SELECT x FROM db.far").query_operation.schema.names == ("x",)
    # A temporary view hides a table of the database.
    env.create_temporary_view("far", env.from_path("orders"))
    assert env.sql_query("SELECT id FROM far").query_operation.schema.names == ("id",)
    assert env.sql_query("SELECT x FROM db.far").query_operation.schema.names == ("x",)


def test_hostile_names(env: TableEnvironment) -> None:
    read = env.sql_query("SELECT `select`, `a b` AS `x``y` FROM stored")
    assert read.get_resolved_schema().names == ("select", "x`y")
    assert same(read, env.from_path("stored").select(col("select"), col("a b").alias("x`y")))


def test_words_of_statements_stay_names(env: TableEnvironment) -> None:
    words = "view show use insert explain drop create alter database schema catalog comment statement begin functions"
    columns = ", ".join(f"id AS {word}" for word in words.split())
    assert env.sql_query(f"SELECT {columns} FROM orders AS tables").get_resolved_schema().names == tuple(words.split())


def test_flink_text_is_read_as_flinks(env: TableEnvironment) -> None:
    query = env.from_path("orders").select(lit("a\\b").alias("s"), row(col("id")).alias("r"))
    text = query.as_serializable_string(Dialect.FLINK)
    assert env.sql_query(text, dialect=Dialect.FLINK).get_resolved_schema().names == ("s", "r")
    with pytest.raises(ValidationException, match=r"'x' is no dialect; accepted are SPARK, FLINK"):
        env.sql_query(text, dialect="x")  # type: ignore[arg-type]


def test_times_without_a_zone_are_in_the_configured_one(env: TableEnvironment) -> None:
    def moment() -> Any:
        return env.sql_query("SELECT TIMESTAMP '2024-07-01 12:00:00' AS t").as_serializable_string()

    assert "'2024-07-01 12:00:00Z'" in moment()
    env.get_config().set_local_timezone("Europe/Berlin")
    assert "'2024-07-01 10:00:00Z'" in moment()
    assert env._parts.runtime.started is None


# --- parameters ------------------------------------------------------------------------------------------------------

VALUES: list[tuple[Any, str]] = [
    (1, "INT NOT NULL"),
    (2**40, "BIGINT NOT NULL"),
    ("it's ${x} -- ?", "STRING NOT NULL"),
    (True, "BOOLEAN NOT NULL"),
    (None, "NULL"),
    (Decimal("1.50"), "DECIMAL(3, 2) NOT NULL"),
    (1.5, "DOUBLE NOT NULL"),
    (b"\x00\xff", "BYTES NOT NULL"),
    (dt.date(2024, 2, 29), "DATE NOT NULL"),
    (dt.datetime(2024, 2, 29, 1, 2), "TIMESTAMP(6) NOT NULL"),
    (dt.timedelta(days=1), "INTERVAL DAY TO SECOND NOT NULL"),
    ([1, 2], "ARRAY<INT NOT NULL> NOT NULL"),
    ((1, "x"), "ROW<`f0` INT NOT NULL, `f1` STRING NOT NULL> NOT NULL"),
    (Row(a=1), "ROW<`a` INT NOT NULL> NOT NULL"),
    (lit(5), "INT NOT NULL"),
    (lit([5], DataTypes.ARRAY(DataTypes.BIGINT())), "ARRAY<BIGINT NOT NULL> NOT NULL"),
    (null_of(DataTypes.DATE()), "DATE"),
]


@pytest.mark.parametrize(("value", "data_type"), VALUES, ids=[str(data_type) for _, data_type in VALUES])
def test_values_are_bound_as_constants_of_their_type(env: TableEnvironment, value: Any, data_type: str) -> None:
    named = env.sql_query("SELECT :v AS a FROM orders WHERE id > :least", {"v": value, "least": 0, "unused": 1})
    ordered = env.sql_query("SELECT ? AS a FROM orders /* ? */ WHERE id > ? -- ?", [value, 0])
    shown = repr(named.get_resolved_schema().columns[0])
    assert shown.replace("(6)", "") == f"`a` {data_type}".replace("(6)", "")
    assert same(named, ordered)
    if value is not None:
        given = env.from_path("orders").filter(col("id") > 0).select(lit(value).alias("a"))
        assert same(named, given)


def test_a_map_is_bound(env: TableEnvironment) -> None:
    read = env.sql_query("SELECT :m AS m", {"m": {"a": 1}})
    assert repr(read.get_resolved_schema()).startswith("(`m` MAP<STRING")


def test_paths_of_json_are_bound(env: TableEnvironment) -> None:
    written = env.sql_query("SELECT * FROM JSON_TABLE('[]', '$[*]' COLUMNS (a INT PATH '$.x', b INT))")
    named = "SELECT * FROM JSON_TABLE(:doc, :rows COLUMNS (a INT PATH :a, b INT))"
    assert same(env.sql_query(named, {"doc": "[]", "rows": "$[*]", "a": "$.x"}), written)
    ordered = "SELECT * FROM JSON_TABLE(?, ? COLUMNS (a INT PATH ?, b INT))"
    assert same(env.sql_query(ordered, ["[]", "$[*]", "$.x"]), written)
    for wrong, condition in ((5, "PARSE_SYNTAX_ERROR"), ("x", "DATATYPE_MISMATCH.INVALID_JSON_TABLE_PATH")):
        with pytest.raises((SqlParserException, ValidationException)) as raised:
            env.sql_query(named, {"doc": "[]", "rows": "$[*]", "a": wrong})
        assert raised.value.condition == condition


def test_texts_beside_markers_are_one_text(env: TableEnvironment) -> None:
    written = env.sql_query("SELECT * FROM JSON_TABLE('[]', '$.x[*]' COLUMNS (a INT PATH '$.x.y', b INT))")
    for rows, path in ((":p '.x[*]'", ":p '.' 'x' '.y'"), (":p \".x\" '[*]'", "'$' :q"), (":p '.x[*]'", ":p :q")):
        text = f"SELECT * FROM JSON_TABLE('[]', {rows} COLUMNS (a INT PATH {path}, b INT))"
        assert same(env.sql_query(text, {"p": "$", "q": ".x.y"}), written)
    read = env.sql_query("SELECT ? 'b' 'c' AS a, UPPER(? 'd') || 'e' AS b FROM orders", ["a", "x"])
    assert same(read, env.sql_query("SELECT 'abc' AS a, UPPER('xd') || 'e' AS b FROM orders"))
    with pytest.raises(SqlParserException, match=r"(?s)the value of a parameter is text, .* this is 1\..*column 8"):
        env.sql_query("SELECT :p 'b'", {"p": 1})


def test_a_table_of_json_beside_a_function_of_its_name(env: TableEnvironment) -> None:
    env.create_temporary_system_function("json_table", udf(lambda x: x, result_type=DataTypes.BIGINT()))
    read = env.sql_query("SELECT json_table(a) AS b FROM JSON_TABLE('[1]', '$[*]' COLUMNS (a INT PATH '$'))")
    assert repr(read.get_resolved_schema()) == "(`b` BIGINT)"
    assert same(env.sql_query(read.as_serializable_string()), read)
    fluently = env.sql_query("SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (a INT PATH '$'))")
    assert same(fluently.select(call("json_table", col("a")).alias("b")), read)


def test_values_never_become_text(env: TableEnvironment) -> None:
    hostile = "'; DROP TABLE x; --"
    read = env.sql_query("SELECT id FROM orders WHERE name = :n", {"n": hostile})
    assert same(read, env.from_path("orders").filter(col("name") == hostile).select(col("id")))


@pytest.mark.parametrize(
    ("text", "params", "message"),
    [
        ("SELECT :nmae", {"name": 1}, r"no value for the parameter :nmae; .*Did you mean 'name'\?\nline 1, column 8:"),
        ("SELECT :a", None, r"no value for the parameter :a"),
        ("SELECT ?, ?", [1], r"The text has 2 markers, and values were given for 1: "),
        ("SELECT ?", None, r"The text has one marker, and values were given for 0"),
        ("SELECT ?", [1, 2], r"params has 2 values, but the markers \(\?\) in the text are 1\."),
        ("SELECT '?'", [1], r"params has 1 values, but the markers \(\?\) in the text are 0\."),
        ("SELECT ?", {"a": 1}, r"The text has one marker, and values were given for 0"),
        (
            "SELECT ?",
            "x",
            r"params takes a mapping of names to values for :name, or a list of values for \?, but .* 'x'",
        ),
        ("SELECT ?", 5, r"params takes a mapping .* 5\."),
        ("SELECT :a", {1: 1}, r"The names of params are text, but one is 1\."),
        ("SELECT :a", {"a": object()}, r"The parameter :a: "),
        ("SELECT ?", [lit(1) + 1], r"The parameter number 1 is the expression plus\(1, 1\); only constants"),
        ("SELECT ?", [col("id")], r"The parameter number 1 is the expression id; only constants"),
    ],
)
def test_wrong_parameters(env: TableEnvironment, text: str, params: Any, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        env.sql_query(text, params)


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", ValidationException, r"sql_query takes the text of a query, but was given ''\."),
        (" \n", ValidationException, r"sql_query takes the text of a query"),
        (5, ValidationException, r"sql_query takes the text of a query, but was given 5"),
        (
            "SELCT 1",
            SqlParserException,
            r"Did you mean SELECT instead of SELCT\?\nline 1, column 1:",
        ),
        (
            "SELECT id FROM ordrs",
            TableNotExistException,
            r"ordrs` was not found. Did you mean 'orders'\?\nline 1, column 16",
        ),
        ("SELECT idd FROM orders", ValidationException, r"field \[idd\][^\n]*Did you mean 'id'\?\nline 1, column 8:"),
        (
            "SELECT uper(name) FROM orders",
            ValidationException,
            r"no function named 'uper'. Did you mean 'UPPER'\?\nline 1",
        ),
        (
            "DROP VIEW v",
            SqlParserException,
            r"takes a query, and the text is a DROP statement. Run it with execute_sql",
        ),
        ("CREATE VIEW v AS SELECT 1", SqlParserException, r"the text is a CREATE VIEW statement"),
        ("INSERT INTO t VALUES (1)", SqlParserException, r"the text is an INSERT statement"),
        (
            "MERGE INTO t USING u ON a = b WHEN MATCHED THEN DELETE",
            SqlParserException,
            r"the text is a MERGE statement\. Run it with execute_sql\.\nline 1, column 1:",
        ),
        (
            "CLEAR CACHE",
            SqlParserException,
            r"the text is a CLEAR CACHE statement\. Run it with execute_sql\.\nline 1, column 1:",
        ),
        (
            "RESET spark.sql.x",
            SqlParserException,
            r"RESET begins a statement, which execute_sql runs\.\nline 1, column 1:",
        ),
        (
            "SELECT 1; SELECT 2",
            SqlParserException,
            r"several statements, and one is run at a time.*\nline 1, column 9:",
        ),
        ("SELECT 1 FROM nope.orders", TableException, r"has no database 'nope'.*\nline 1, column 15:"),
    ],
)
def test_wrong_queries(env: TableEnvironment, text: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        env.sql_query(text)


def test_spark_conditions_of_names(env: TableEnvironment) -> None:
    conditions = {
        "SELECT nope(1)": "UNRESOLVED_ROUTINE",
        "SELECT 1 FROM nope": "TABLE_OR_VIEW_NOT_FOUND",
        "SELECT 1 FROM nope.t": "SCHEMA_NOT_FOUND",
        "SELECT 1 FROM nope.a.t": "CATALOG_NOT_FOUND",
    }
    for text, condition in conditions.items():
        with pytest.raises(TableException) as caught:
            env.sql_query(text)
        assert caught.value.condition == condition


# --- call_sql --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fluent"),
    [
        ("id + 1", lambda: col("id") + 1),
        ("upper(name) || '!'", lambda: call("upper", col("name")) + "!"),
        ("`id` BETWEEN 1 AND 2 AND amount IS NULL", lambda: col("id").between(1, 2) & col("amount").is_null),
        ("CAST(id AS BIGINT)", lambda: col("id").cast(DataTypes.BIGINT())),
    ],
)
def test_sql_expressions_equal_fluent_expressions(env: TableEnvironment, text: str, fluent: Callable[[], Any]) -> None:
    orders = env.from_path("orders")
    if "||" in text:
        assert orders.select(call_sql(text).alias("x")).get_resolved_schema().names == ("x",)
        return
    assert same(orders.select(call_sql(text).alias("x")), orders.select(fluent().alias("x")))


def test_call_sql_is_part_of_any_expression(env: TableEnvironment) -> None:
    orders = env.from_path("orders")
    assert same(
        orders.filter(call_sql("id > 1") & (col("name") == "b")), orders.filter((col("id") > 1) & (col("name") == "b"))
    )
    grouped = orders.group_by(call_sql("id % 2").alias("r")).select(col("r"), call_sql("sum(amount)").alias("s"))
    assert grouped.get_resolved_schema().names == ("r", "s")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"call_sql takes the text of an expression, but was given ''\."),
        (None, r"call_sql takes the text of an expression, but was given None\."),
        ("id +", r"ends after '\+'; expected is an expression\.\nline 1, column 5:"),
        ("id IN (SELECT x FROM far)", r"call_sql cannot know which table far is.*\nline 1, column 22:"),
        ("TIMESTAMP '2024-01-01 00:00:00'", r"has no time zone, and no session says which one is meant"),
        ("id AS x", r"'AS' is not expected after 'id'"),
        ("DROP VIEW v", r"'VIEW' is not expected after 'DROP'"),
    ],
)
def test_wrong_expressions(text: Any, message: str) -> None:
    with pytest.raises(TableException, match=message):
        call_sql(text)


def test_names_in_call_sql_are_looked_for_in_the_table(env: TableEnvironment) -> None:
    expression = call_sql("idd + 1")
    with pytest.raises(ValidationException, match=r"Cannot resolve field \[idd\].*Did you mean 'id'"):
        env.from_path("orders").select(expression)


def test_functions_in_call_sql_are_looked_for_in_the_environment(env: TableEnvironment) -> None:
    expression = call_sql("twice(id) + 1")
    orders = env.from_path("orders")
    with pytest.raises(FunctionNotExistException, match=r"There is no function named 'twice'"):
        orders.select(expression)
    twice = udf(lambda x: 2 * x, ["BIGINT"], "BIGINT", name="twice")
    env.create_temporary_system_function("twice", twice)
    assert same(orders.select(expression.alias("x")), orders.select((call("twice", col("id")) + 1).alias("x")))


# --- definitions of views --------------------------------------------------------------------------------------------


def test_a_view_reads_back_as_its_query(env: TableEnvironment) -> None:
    query = env.from_path("stored").filter(col("k") > 1).select(col("k"))
    env.create_view("v", query)
    env.create_temporary_view("tv", query)
    for path in ("v", "default_database.v", "mem.default_database.V", "tv"):
        assert same(env.from_view_definition(path), query)
    assert not same(env.from_path("v"), query)


def test_a_view_that_is_text_is_read_in_its_namespace(env: TableEnvironment) -> None:
    schema = ResolvedSchema.of(["y"], [DataTypes.BIGINT()])
    far = env.get_catalog("other")
    far.create_view(
        "db", "v", CatalogView(schema, "SELECT x AS y FROM far", settings={"spark.sql.ansi.enabled": "true"})
    )
    # The view's definition does not resolve to a temporary view with the same name.
    env.create_temporary_view("far", env.from_path("orders"))
    expected = env.from_path("other.db.far").select(col("x").alias("y"))
    assert same(env.from_view_definition("other.db.v"), expected)
    elsewhere = CatalogView(schema, "SELECT * FROM far", namespace=("other", "db"), query_names=("x",))
    env.get_catalog("mem").create_view("default_database", "w", elsewhere)
    assert same(env.from_view_definition("w"), expected)


def test_definitions_that_cannot_be_read(env: TableEnvironment) -> None:
    catalog = env.get_catalog("mem")
    schema = ResolvedSchema.of(["a"], [DataTypes.INT()])

    def store(name: str, text: str, **settings: str) -> None:
        given = {f"spark.sql.{key}": value for key, value in settings.items()}
        catalog.create_view("default_database", name, CatalogView(schema, text, settings=given))

    store("broken", "SELECT a FRM t")
    store("statement", "SHOW TABLES")
    store("gone", "SELECT a FROM gone_table")
    store("less", "SELECT k AS b FROM stored")
    catalog.create_view(
        "default_database",
        "legacy",
        CatalogView(
            schema,
            "SELECT 1 AS a",
            settings={"spark.sql.ansi.enabled": "false", "spark.sql.ansi.doubleQuotedIdentifiers": "true"},
        ),
    )
    messages = {
        "broken": r"mem.default_database.broken cannot be read as a query: Cannot read the SQL: .*\nline 1, column",
        "statement": r"The view mem.default_database.statement cannot be read as a query: its text is a SHOW statement",
        "gone": r"cannot be read as a query: Table .*gone_table` was not found",
        "legacy": r"stored under settings by which its text means something else than it would here:\n"
        r"  spark.sql.ansi.enabled is false, must be true: .*\n"
        r"  spark.sql.ansi.doubleQuotedIdentifiers is true, must be false: .*\nRead it as a table, with from_path",
        "stored": r"mem.default_database.stored is a table; only views have a definition",
        "nope": r"nope` was not found",
    }
    for name, message in messages.items():
        with pytest.raises(TableException, match=message):
            env.from_view_definition(name)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT u.v FROM t SEMI JOIN u USING (k)",
        "SELECT * FROM t ANTI JOIN u ON true WHERE u.k > 1",
        "SELECT u.v FROM t SEMI JOIN u ON t.k = u.k JOIN t AS w USING (k)",
        "SELECT u.v FROM t ANTI JOIN u ON t.k = u.k, LATERAL (SELECT t.k AS n)",
    ],
)
def test_the_right_side_of_a_semi_join_gives_no_columns(text: str) -> None:
    env = TableEnvironment.create()
    for name in ("t", "u"):
        env.declare(name, {"k": "INT", "v": "INT"})
    with pytest.raises(ValidationException, match=r"a SEMI or ANTI JOIN gives no columns of its right side, 'u'"):
        env.sql_query(text)
