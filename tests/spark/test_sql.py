"""SQL that Spark executes as it is: the environment's namespace, results, errors, and its own temporary views."""

from __future__ import annotations

import datetime as dt

import pytest

from tableapi import (
    ExplainDetail,
    ResultKind,
    TableEnvironment,
    TableException,
    TableNotExistException,
    ValidationException,
)
from tableapi.expressions import call, col, schema_of_xml
from tableapi.spark.types import from_spark
from tests.comparison import nullable, plain
from tests.spark.rows import rows

# The result of ``nvl(unix_nanos(null), length('x')) || ' years'``; of these functions, only Spark has ``unix_nanos``.
ONE = "1 years"


def test_intervals_of_months_days_and_time_are_fetched_as_their_text(env: TableEnvironment) -> None:
    made = env.sql_query("SELECT MAKE_INTERVAL(1, 2, 3) AS i, DATE '2020-01-31' + MAKE_INTERVAL(0, 1) AS d")
    assert rows(made) == [("1 years 2 months 21 days", dt.date(2020, 2, 29))]
    again = env.sql_query(f"SELECT CAST({rows(made)[0][0]!r} AS INTERVAL) AS i")
    assert rows(again) == [("1 years 2 months 21 days",)]
    nested = env.sql_query("SELECT ARRAY(MAKE_INTERVAL(1)) AS a")
    with pytest.raises(TableException, match=r"ARRAY<INTERVAL NOT NULL> NOT NULL cannot be fetched"):
        rows(nested)


def test_statements_use_the_current_database(env: TableEnvironment, capsys: pytest.CaptureFixture[str]) -> None:
    made = env.execute_sql("CREATE TABLE t (a INT, b STRING) USING parquet")
    assert made.get_result_kind() is ResultKind.SUCCESS
    assert [tuple(row) for row in made.collect()] == [("OK",)]
    made.print()
    assert capsys.readouterr().out == "OK\n"
    env.execute_sql("INSERT INTO t VALUES (1, 'x'), (2, NULL)")
    assert rows(env.from_path("t")) == [(1, "x"), (2, None)]
    found = env.execute_sql("SELECT a + 1 AS n, b, INTERVAL '1' YEAR AS y FROM t ORDER BY a DESC")
    assert repr(found.get_resolved_schema()) == "(`n` INT, `b` STRING, `y` INTERVAL YEAR NOT NULL)"
    assert [tuple(row) for row in found.collect()] == [(3, None, 12), (2, "x", 12)]
    assert [row[1] for row in env.execute_sql("SHOW TABLES").collect() if not row[2]] == ["t"]
    assert [tuple(row) for row in env.execute_sql("SELECT 1 AS a WHERE FALSE").collect()] == []
    env.execute_sql("CREATE TABLE u AS SELECT a FROM t")
    assert rows(env.from_path("u").filter(col("a") > 1)) == [(2,)]


def test_the_environment_follows_use(env: TableEnvironment) -> None:
    database = env.get_current_database()
    env.execute_sql("CREATE TABLE t (a INT) USING parquet")
    env.execute_sql("USE default")
    assert env.get_current_database() == "default"
    with pytest.raises(TableNotExistException):
        env.from_path("t")
    env.execute_sql(f"USE {database}")
    assert env.from_path("t").get_resolved_schema().names == ("a",)


def test_a_users_session_keeps_its_database(spark: object, env: TableEnvironment) -> None:
    mine = env.spark.newSession()
    before = mine.catalog.currentDatabase()
    other = TableEnvironment.create(spark=mine)
    other.use_database(env.get_current_database())
    other.execute_sql("CREATE TABLE t (a INT) USING parquet")
    assert env.list_tables() == ["t"]
    assert mine.catalog.currentDatabase() == before


@pytest.mark.parametrize(
    ("statement", "condition"),
    [
        ("CRATE TABLE x", "PARSE_SYNTAX_ERROR"),
        ("CREATE TABEL x", "PARSE_SYNTAX_ERROR"),
        ("SELECT * FROM nope", "TABLE_OR_VIEW_NOT_FOUND"),
        ("UPDATE t SET a = 1", "UNSUPPORTED_FEATURE.TABLE_OPERATION"),
        ("DELETE FROM t WHERE a = 1", "UNSUPPORTED_FEATURE.TABLE_OPERATION"),
        (
            "MERGE INTO t USING (SELECT 1 AS x) s ON t.a = s.x WHEN MATCHED THEN DELETE",
            "UNSUPPORTED_FEATURE.TABLE_OPERATION",
        ),
        ("SELECT 1 / (a - a) FROM t", "DIVIDE_BY_ZERO"),
        ("INSERT INTO t SELECT 'x', 2", "INSERT_COLUMN_ARITY_MISMATCH.TOO_MANY_DATA_COLUMNS"),
    ],
)
def test_errors_are_sparks_and_readable(env: TableEnvironment, statement: str, condition: str) -> None:
    env.execute_sql("CREATE TABLE t (a INT) USING parquet")
    env.execute_sql("INSERT INTO t VALUES (1)")
    with pytest.raises(TableException) as caught:
        env.execute_sql(statement)
    assert caught.value.condition == condition
    assert "py4j" not in str(caught.value)
    assert "\tat " not in str(caught.value)


def test_own_temporary_views_follow_statements(env: TableEnvironment) -> None:
    table = env.from_elements([(1,)], ["a"])
    for name in ("dropped", "replaced", "Kept"):
        env.create_temporary_view(name, table)
    env.execute_sql("DROP VIEW dropped")
    env.execute_sql("CREATE OR REPLACE TEMPORARY VIEW Replaced AS SELECT 'x' AS b, 'kept' AS c")
    assert env.list_temporary_views() == ["Kept", "Replaced"]
    with pytest.raises(TableNotExistException):
        env.from_path("dropped")
    assert rows(env.from_path("replaced")) == [("x", "kept")]
    # A view that calls a function that only Spark has.
    env.execute_sql(
        "CREATE OR REPLACE TEMPORARY VIEW Replaced AS SELECT nvl(unix_nanos(null), length('x')) || ' years' AS b"
    )
    assert env.list_temporary_views() == ["Kept"]
    assert rows(env.from_path("replaced")) == [(ONE,)]
    env.create_temporary_view("dropped", table)
    assert rows(env.from_path("dropped")) == [(1,)]


def test_statements_are_explained_and_not_run(env: TableEnvironment) -> None:
    env.execute_sql("CREATE TABLE t (a INT) USING parquet")
    explained = env.explain_sql("INSERT INTO t VALUES (1)", ExplainDetail.PLAN_ADVICE)
    assert "== Spark's plan ==" in explained
    assert "== Analyzed Logical Plan ==" in explained
    assert rows(env.from_path("t")) == []
    with pytest.raises(TableNotExistException, match=r"nope` was not found[^\n]*\nline 1, column 15:") as caught:
        env.explain_sql("SELECT * FROM nope")
    assert caught.value.condition == "TABLE_OR_VIEW_NOT_FOUND"


def test_explaining_starts_no_session() -> None:
    env = TableEnvironment.create()
    assert env.explain_sql("SELECT 1").endswith("== SQL ==\nSELECT 1 AS `1`")
    assert env.explain_sql("CACHE TABLE t") == "== SQL ==\nCACHE TABLE t"
    table = env.from_elements([(1,)], ["a"])
    assert "Spark's plan" not in table.explain(*ExplainDetail)
    assert "t: not looked at, because no Spark session runs" in table.insert_into("t").explain()
    assert env._parts.runtime.started is None


def test_execute_immediate_is_sparks(env: TableEnvironment) -> None:
    env.execute_sql("DECLARE OR REPLACE VARIABLE made INT")
    assert [tuple(row) for row in env.execute_sql("EXECUTE IMMEDIATE 'SELECT 1 AS a'").collect()] == [(1,)]
    assert repr(env.execute_sql("EXECUTE IMMEDIATE 'SELECT 1 AS a'").get_resolved_schema()) == "(`a` INT NOT NULL)"
    with_value = env.execute_sql("EXECUTE IMMEDIATE 'SELECT :x + 1 AS y' USING 5 AS x")
    assert [tuple(row) for row in with_value.collect()] == [(6,)]
    into = "EXECUTE IMMEDIATE 'SELECT a + ? FROM VALUES (1) AS t(a)' INTO made USING 41"
    assert env.execute_sql(into).get_result_kind() is ResultKind.SUCCESS
    assert [tuple(row) for row in env.execute_sql("EXECUTE IMMEDIATE 'SELECT made'").collect()] == [(42,)]
    env.execute_sql("EXECUTE IMMEDIATE 'CREATE TABLE t USING parquet AS SELECT 3 AS c'")
    assert rows(env.from_path("t")) == [(3,)]
    with pytest.raises(TableException, match="nope"):
        env.execute_sql("EXECUTE IMMEDIATE 'SELECT nope'")


def test_variables_of_the_session_have_their_values_when_a_query_is_read(env: TableEnvironment) -> None:
    env.execute_sql("DECLARE OR REPLACE VARIABLE most INT DEFAULT 2")
    read = env.sql_query("SELECT id, most AS m FROM VALUES (1), (2), (3) AS t(id) WHERE id <= most LIMIT most")
    env.execute_sql("SET VAR most = 1")
    assert sorted(rows(read)) == [(1, 2), (2, 2)]
    again = env.sql_query("SELECT session.most + 1 AS n, most FROM VALUES (7) AS t(most)")
    assert rows(again) == [(2, 7)]
    columns = "most, most + 1, session.MOST AS o, most AS n, n + most, upper(most || 'a')"
    shown = "variablereference(system.session.most=1)"
    named = [
        "most",
        f"({shown} + 1)",
        "o",
        "n",
        f"(lateralAliasReference(n) + {shown})",
        f"upper(concat({shown}, a))",
    ]
    assert env.spark.sql(f"SELECT {columns}").columns == named
    assert list(env.sql_query(f"SELECT {columns}").get_resolved_schema().names) == named
    # Spark's generated name refers to a column without an alias only if nothing else has this name.
    unnamed = "SELECT 'most', most, abs(-3), `abs(-3)` FROM VALUES (7)"
    assert rows(env.sql_query(unnamed)) == [("most", 1, 3, 3)]
    assert [tuple(row) for row in env.spark.sql(unnamed).collect()] == [("most", 1, 3, 3)]
    pivoted = "SELECT * FROM VALUES (1, 2), (3, 4) AS t(a, b) PIVOT (sum(b) FOR a IN (most, session.most + 2 AS three))"
    assert env.spark.sql(pivoted).columns == ["most", "three"]
    assert list(env.sql_query(pivoted).get_resolved_schema().names) == ["most", "three"]
    assert rows(env.sql_query(pivoted)) == [(2, 4)]
    with pytest.raises(TableException, match="A distance of a frame is made of literals"):
        env.sql_query("SELECT sum(a) OVER (ORDER BY a ROWS most PRECEDING) FROM VALUES (1) AS t(a)")
    env.execute_sql("DECLARE OR REPLACE VARIABLE called STRING DEFAULT 'vi'")
    env.execute_sql("CREATE TEMPORARY VIEW IDENTIFIER('`' || session.called || 'ew of it`') AS SELECT most + 1 AS n")
    env.execute_sql("ALTER VIEW IDENTIFIER('`' || called || 'ew of it`') AS SELECT 3 AS n")
    assert rows(env.sql_query("SELECT n FROM `view of it`")) == [(3,)]
    env.execute_sql("DROP VIEW IDENTIFIER('`view of it`')")
    env.execute_sql("DROP TEMPORARY VARIABLE called")
    env.execute_sql("DECLARE OR REPLACE VARIABLE known MAP<STRING, DOUBLE> DEFAULT map('a', 1.5D)")
    held = env.sql_query("SELECT known AS m")
    assert repr(held.get_resolved_schema()) == "(`m` MAP<STRING, DOUBLE> NOT NULL)"
    assert rows(held) == [({"a": 1.5},)]
    env.execute_sql("DROP TEMPORARY VARIABLE known")
    env.execute_sql("DROP TEMPORARY VARIABLE most")


def test_views_that_all_sessions_share(env: TableEnvironment) -> None:
    env.execute_sql("CREATE GLOBAL TEMPORARY VIEW `shared one` AS SELECT 1 AS a")
    table = env.sql_query("SELECT a + 1 AS b FROM global_temp.`shared one`")
    assert rows(table) == [(2,)]
    assert env.sql_query(table.as_serializable_string()).query_operation is table.query_operation
    assert rows(env.from_path("global_temp.`shared one`")) == [(1,)]
    with pytest.raises(TableException, match=r"depend on the temporary view 'global_temp\.shared one'"):
        env.create_view("lasting", table)
    env.execute_sql("DROP VIEW global_temp.`shared one`")
    with pytest.raises(TableException, match="global_temp"):
        env.from_path("global_temp.`shared one`")


def test_a_table_function_of_a_user_is_known_by_its_own_name(env: TableEnvironment) -> None:
    env.execute_sql("CREATE FUNCTION twice(x INT) RETURNS TABLE (a INT) RETURN SELECT x UNION ALL SELECT 2 * x")
    of = f"{env.get_current_database()}.twice"
    for text in (
        f"SELECT TWICE.a, twice.* FROM {of}(3)",
        f"SELECT c, twice.a FROM VALUES (1), (2) AS t(c) JOIN LATERAL {of}(c) ON twice.a > t.c",
        f"SELECT u.a FROM {of}(1), LATERAL {of}(twice.a + 1) AS u",
    ):
        found = env.sql_query(text)
        assert sorted(rows(found)) == sorted(tuple(row) for row in env.spark.sql(text).collect())
        assert env.sql_query(found.as_serializable_string()).query_operation is found.query_operation
    for wrong in ("SELECT twice.a FROM twice(3) AS t", "SELECT explode.col FROM explode(array(1))"):
        with pytest.raises(ValidationException, match=r"there is no relation or column '(twice|explode)' here"):
            env.sql_query(wrong)


@pytest.mark.parametrize("kind", ["", "TEMPORARY "])
def test_functions_whose_body_is_a_query_are_called_where_spark_computes_one(env: TableEnvironment, kind: str) -> None:
    table = f"{env.get_current_database()}.read_rows"
    env.execute_sql(f"CREATE TABLE {table} USING parquet AS SELECT * FROM VALUES (1, 5), (2, 5), (3, 7) AS t(k, n)")
    env.execute_sql(f"CREATE {kind}FUNCTION n_of(x INT) RETURNS INT RETURN (SELECT max(n) FROM {table} WHERE k = x)")
    env.execute_sql(f"CREATE {kind}FUNCTION top_n() RETURNS INT RETURN (SELECT max(n) FROM {table})")
    v = "VALUES (1, 2), (2, 2), (3, 3) AS v(a, b)"
    for text, expected in (
        (f"SELECT count(*) AS c FROM {v} GROUP BY n_of(a)", [(1,), (2,)]),
        (f"SELECT n_of(a) AS n, sum(b) AS c FROM {v} GROUP BY n_of(a)", [(5, 4), (7, 3)]),
        (f"SELECT a FROM {v} JOIN VALUES (7) AS w(n) ON top_n() = n WHERE n_of(a) < 7", [(1,), (2,)]),
    ):
        assert sorted(rows(env.sql_query(text))) == expected, text
    in_join = "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.UNSUPPORTED_CORRELATED_SCALAR_SUBQUERY"
    refused = [
        (f"SELECT * FROM {v} JOIN VALUES (7) AS w(n) ON n_of(a) = n", "in the condition of a join", in_join),
        (f"SELECT * FROM {v} LEFT JOIN VALUES (7) AS w(n) ON n_of(a + n) = 1", "Select it under a name in", in_join),
        (f"SELECT a FROM {v} ORDER BY n_of(a)", "function of SQL", "UNSUPPORTED_SQL_UDF_USAGE"),
    ]
    if kind:
        sorted_by_it = env.sql_query(f"SELECT a FROM {v} ORDER BY n_of(b) DESC, a DESC")
        assert [row[0] for row in sorted_by_it.execute().collect()] == [3, 2, 1]
        condition = "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.HIGHER_ORDER_FUNCTION"
        refused += [
            (f"SELECT transform(array(1), x -> {call}) FROM {v}", "whose body is a query, which Spark", condition)
            for call in ("top_n()", "x + n_of(a)")
        ]
    for text, message, condition in refused:
        with pytest.raises(ValidationException, match=message) as raised:
            env.sql_query(text)
        assert raised.value.condition == condition
    for function in ("n_of", "top_n"):
        env.execute_sql(f"DROP {kind}FUNCTION {function}")
    env.execute_sql(f"DROP TABLE {table}")


def test_functions_stored_in_spark_are_called_only_where_spark_calls_them(env: TableEnvironment) -> None:
    env.execute_sql("CREATE FUNCTION more(x INT) RETURNS INT RETURN x + 1")
    env.execute_sql("CREATE VIEW v AS SELECT x, a FROM VALUES (1, array(3)), (2, array(4)) AS t(x, a)")
    database = env.get_current_database()
    for text, message, condition in (
        ("SELECT x FROM v ORDER BY more(x)", "BY takes no function of SQL", "UNSUPPORTED_SQL_UDF_USAGE"),
        ("SELECT x FROM v ORDER BY x, abs(more(a[0]))", "BY takes no function of SQL", "UNSUPPORTED_SQL_UDF_USAGE"),
        ("SELECT x FROM v SORT BY more(x)", "BY takes no function of SQL", "UNSUPPORTED_SQL_UDF_USAGE"),
        ("SELECT x FROM v DISTRIBUTE BY more(x)", "BY takes no function of SQL", "UNSUPPORTED_SQL_UDF_USAGE"),
        ("SELECT explode(array(more(x))) FROM v", "does not call within EXPLODE", "UNSUPPORTED_SQL_UDF_USAGE"),
        (
            "SELECT * FROM v, LATERAL explode(array(more(x)))",
            "does not call within EXPLODE",
            "UNSUPPORTED_SQL_UDF_USAGE",
        ),
        ("SELECT transform(a, e -> more(e)) FROM v", "within a lambda on 'e'", "LAMBDA_FUNCTION_WITH_SQL_UDF"),
    ):
        with pytest.raises(ValidationException, match=message):
            env.sql_query(text)
        with pytest.raises(Exception, match=condition):
            env.spark.sql(text.replace("more(", f"{database}.more(").replace("FROM v", f"FROM {database}.v")).collect()
    with pytest.raises(ValidationException, match="order_by cannot sort by"):
        env.from_path("v").order_by(call("more", col("x")))
    # In other places the function can be called, and a sort uses the column that it computes.
    sorted_rows = env.sql_query("SELECT x FROM (SELECT x, more(-x) AS y FROM v ORDER BY y LIMIT 1)")
    assert rows(sorted_rows) == [(2,)]
    merged = sorted_rows.as_serializable_string(layout="MERGED")
    assert env.sql_query(merged).query_operation.normalize() is sorted_rows.query_operation.normalize()
    assert rows(env.sql_query("SELECT transform(a, e -> e + more(x)) FROM v WHERE more(x) = 2")) == [([5],)]
    exploded = "SELECT b FROM (SELECT array(more(x)) AS c FROM v), LATERAL explode(c) AS t(b)"
    assert sorted(rows(env.sql_query(exploded))) == [(2,), (3,)]


def test_functions_stored_in_spark_give_columns_their_full_names(env: TableEnvironment) -> None:
    env.execute_sql("CREATE FUNCTION added(a INT, b INT DEFAULT 7) RETURNS INT RETURN a + b")
    full = f"spark_catalog.{env.get_current_database()}.added"
    found = env.sql_query("SELECT added(1), abs(ADDED(b => 2, a => 1)) FROM VALUES (1) AS t(x)")
    assert found.get_resolved_schema().names == (f"{full}(1)", f"abs({full}(1, 2))")
    assert rows(found) == [(8, 3)]


@pytest.mark.parametrize(
    "read",
    [
        """FROM_JSON('{"a":1.5}', SCHEMA_OF_JSON('{"a":1.5}', MAP('prefersDecimal', 'true')))""",
        """FROM_JSON('{"a":1}', SCHEMA_OF_JSON('{"a":01}', MAP('allowNumericLeadingZeros', 'true')))""",
        """FROM_JSON('{"a":"2020-01-01"}', SCHEMA_OF_JSON('{"a":"2020-01-01"}', MAP('inferTimestamp', 'true')))""",
        """FROM_JSON('{"a":1}', SCHEMA_OF_JSON('{}'))""",
        """FROM_CSV('1|x', SCHEMA_OF_CSV('1|x', MAP('sep', '|')), MAP('sep', '|'))""",
        """FROM_CSV('2020-01-01', SCHEMA_OF_CSV('2020-01-01'))""",
        """FROM_XML('<p><a x="1">2</a><b>3</b></p>', SCHEMA_OF_XML('<p><a x="1">2</a><b>3</b><b>.5</b></p>'))""",
        """FROM_XML('<p><a x="1">2</a></p>', SCHEMA_OF_XML('<p><a x="1">2</a></p>', MAP('rowTag', 'p')))""",
    ],
)
def test_schemas_of_constants_that_spark_alone_knows(env: TableEnvironment, read: str) -> None:
    table = env.sql_query(f"SELECT {read} AS r, {read} IS NULL AS n")
    theirs = env.spark.sql(f"SELECT {read} AS r")
    (field,) = theirs.schema.fields
    assert nullable(from_spark(field.dataType, field.nullable)) is nullable(
        table.get_resolved_schema().columns[0].data_type
    )
    assert plain(tuple(table.to_spark().collect()[0])) == plain((theirs.collect()[0][0], False))
    text = table.as_serializable_string()
    assert "SCHEMA_OF" not in text
    assert env.sql_query(text).query_operation is table.query_operation


def test_a_view_keeps_the_schema_of_a_constant(env: TableEnvironment) -> None:
    query = "SELECT from_xml('<p><a>1</a></p>', schema_of_xml('<p><a>2</a></p>')) AS r"
    env.spark.sql(f"CREATE VIEW {env.get_current_database()}.v AS {query}")
    assert repr(env.from_view_definition("v").get_resolved_schema()) == "(`r` ROW<`a` BIGINT>)"
    fluent = env.from_elements([("<p><a>1</a></p>",)], ["x"]).select(
        col("x").from_xml(schema_of_xml("<p><a>2</a></p>", {"rowTag": "p"})).alias("r")
    )
    assert rows(fluent) == rows(env.from_path("v"))


def test_a_constant_without_a_schema(env: TableEnvironment) -> None:
    with pytest.raises(
        TableException, match=r"Spark fails to compute schema_of_json\('{', .*\): Unexpected end-of-input"
    ):
        env.sql_query("SELECT from_json('{}', schema_of_json('{', map('mode', 'FAILFAST')))")
