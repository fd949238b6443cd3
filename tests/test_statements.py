"""SQL statements over in-memory catalogs: those that the environment executes itself, without Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.statement_words import is_own, separator, words
from tableapi import (
    DatabaseNotExistException,
    DataTypes,
    EnvironmentSettings,
    ExplainDetail,
    ResolvedSchema,
    ResultKind,
    Schema,
    SqlParserException,
    TableAlreadyExistException,
    TableDescriptor,
    TableEnvironment,
    TableException,
    TableNotExistException,
    ValidationException,
)
from tableapi.catalog import CatalogTable
from tableapi.expressions import col


@pytest.fixture
def env() -> TableEnvironment:
    made = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("mem").build())
    made.create_temporary_view("orders", made.from_elements([(1, "a"), (2, "b")], ["id", "name"]))
    schema = ResolvedSchema.of(["id", "name"], [DataTypes.INT(), DataTypes.STRING()])
    made.get_catalog("mem").create_table("default_database", "t", CatalogTable(schema, comment="a table"))
    return made


def rows(env: TableEnvironment, statement: str) -> list[tuple[object, ...]]:
    found = [tuple(row) for row in env.execute_sql(statement).collect()]
    assert env._parts.runtime.started is None
    return found


def ok(env: TableEnvironment, *statements: str) -> None:
    for statement in statements:
        result = env.execute_sql(statement)
        assert result.get_result_kind() is ResultKind.SUCCESS
        assert [tuple(row) for row in result.collect()] == [("OK",)]
    assert env._parts.runtime.started is None


def refused(env: TableEnvironment, statement: str, message: str, kind: type[Exception] = TableException) -> None:
    with pytest.raises(kind, match=message):
        env.execute_sql(statement)
    assert env._parts.runtime.started is None


# --- whose a statement is --------------------------------------------------------------------------------------------

OWN = """
SELECT TRANSFORM(a) ROW FORMAT DELIMITED USING 'cat' AS (x INT) FROM t | FROM t SELECT TRANSFORM(map(a, b)) USING 'cat'
(MAP a USING 'cat' FROM t) | SELECT * FROM (REDUCE a, b USING 'cat' AS (x INT, y INT) FROM t)
FROM t MAP a USING 'cat' | WITH w AS (SELECT 1 AS a) MAP a USING 'cat' FROM w | REDUCE a USING 'cat' FROM t
SELECT map FROM t JOIN u USING (a) | SELECT reduce(b, 1, (x, y) -> x) FROM t JOIN u USING (a)
SELECT 1 | (SELECT 1) | VALUES (1) | FROM t | TABLE t | WITH w AS (SELECT 1) SELECT * FROM w
CREATE VIEW v AS SELECT 1 | create or replace temp view v as select 1 | CREATE VIEW IF NOT EXISTS a.b (c) AS SELECT 1
ALTER VIEW v AS SELECT 1 | ALTER VIEW a.v RENAME TO w | ALTER VIEW v SET TBLPROPERTIES ('a' = 'b') | DROP VIEW v
DROP TABLE t | DROP TEMPORARY VIEW v | CREATE DATABASE d | CREATE SCHEMA d | DROP SCHEMA d CASCADE | CREATE CATALOG c
ALTER DATABASE d SET ('a' = 'b') | ALTER SCHEMA c.d SET DBPROPERTIES ('a' = 'b') | COMMENT ON DATABASE d IS 'x'
ALTER DATABASE d UNSET PROPERTIES ('a') | ALTER CATALOG c COMMENT 'x'
DROP CATALOG c | USE a | USE CATALOG c | SHOW TABLES | SHOW VIEWS | SHOW USER FUNCTIONS | SHOW CURRENT CATALOG
SHOW CREATE VIEW v | DESCRIBE t | DESC EXTENDED t | DESCRIBE QUERY SELECT 1 | DESC FUNCTION f | DESCRIBE SELECT 1
INSERT INTO t VALUES (1) | INSERT OVERWRITE TABLE t SELECT 1 | INSERT INTO t (a) SELECT 1 | EXPLAIN SELECT 1
EXPLAIN EXTENDED INSERT INTO t SELECT 1 | EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1; END
SELECT * FROM t ASOF JOIN u MATCH_CONDITION (t.a > u.a)
SELECT * FROM JSON_TABLE('{}', '$' COLUMNS (x INT PATH '$.x'))
BEGIN STATEMENT SET; INSERT INTO t SELECT 1; END | EXPLAIN STATEMENT SET BEGIN INSERT INTO t SELECT 1; END
"""
SPARKS = """
CREATE TABLE t (a INT) | CREATE TEMPORARY VIEW v USING csv | CREATE TEMP VIEW v (a INT, b CHAR(3)) USING csv
CREATE GLOBAL TEMPORARY VIEW v AS SELECT 1
CREATE MATERIALIZED VIEW v AS SELECT 1 | CREATE FUNCTION f AS 'com.example.F' | REFRESH FUNCTION f
ALTER TABLE t ADD COLUMNS (b INT) | ALTER VIEW v WITH SCHEMA BINDING | MERGE INTO t USING u ON a = b
UPDATE t SET a = 1
DELETE FROM t | CACHE TABLE t | REFRESH TABLE t | TRUNCATE TABLE t | SHOW PARTITIONS t | SHOW CREATE TABLE t AS SERDE
SHOW TABLE EXTENDED LIKE 'x' | SHOW TBLPROPERTIES t | DESCRIBE t PARTITION (a = 1) | DESCRIBE EXTENDED t AS JSON
DESCRIBE t column | INSERT OVERWRITE DIRECTORY 'x' SELECT 1 | INSERT INTO t REPLACE USING (a) SELECT 1
WITH w AS (SELECT 1) INSERT INTO t SELECT * FROM w | FROM t INSERT INTO u SELECT 1 INSERT INTO v SELECT 2
EXPLAIN CREATE TABLE t AS SELECT 1 | EXPLAIN MERGE INTO t USING u ON a = b | BEGIN SELECT 1; SELECT 2; END
DROP TABLE IDENTIFIER('t') | ANALYZE TABLE t COMPUTE STATISTICS
"""


def _listed(text: str) -> list[str]:
    return [part.strip() for line in text.strip().split("\n") for part in line.split(" | ")]


@pytest.mark.parametrize("text", [*_listed(OWN), "-- c\n/* /* d */ */ select 1"])
def test_statements_of_the_environment(text: str) -> None:
    assert is_own(words(text))


@pytest.mark.parametrize("text", _listed(SPARKS))
def test_statements_of_spark(text: str) -> None:
    assert not is_own(words(text))


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("SELECT 1;", None),
        ("SELECT 1;; -- end\n", None),
        ("SELECT ';' /* ; */; ", None),
        ("SELECT 1; SELECT 2", 8),
        ("CREATE TABLE t (a INT); CREATE TABLE u (a INT);", 22),
        ("BEGIN SELECT 1; SELECT 2; END", None),
        ("EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1; INSERT INTO t SELECT 2; END;", None),
    ],
)
def test_several_statements(text: str, position: int | None) -> None:
    found = separator(words(text))
    assert (None if found is None else found.position) == position


def test_a_misspelt_statement_starts_no_session(env: TableEnvironment) -> None:
    refused(env, "SELCT 1", r"Did you mean SELECT instead of SELCT\?\nline 1, column 1:", SqlParserException)
    refused(env, "CRATE TABLE x (a INT)", r"Did you mean CREATE instead of CRATE\?", SqlParserException)
    refused(env, "CRATE VIEW v AS SELECT 1", r"Did you mean CREATE instead of CRATE\?", SqlParserException)


def test_several_statements_are_refused(env: TableEnvironment) -> None:
    message = r"Run them with te\.execute_script\(text\); .*EXECUTE STATEMENT SET.*\nline 1, column 9:"
    refused(env, "USE mem ; USE mem", message, SqlParserException)
    refused(env, "CACHE t;CACHE u", message.replace("9", "8"), SqlParserException)
    refused(env, "INSERT INTO t SELECT 1; INSERT INTO t SELECT 2", "one is run at a time", SqlParserException)
    refused(env, "  ", r"execute_sql takes the text of a statement, but was given '  '", ValidationException)
    ok(env, "USE mem;", ";USE mem"[1:], "/* x */ USE mem ; ; -- y")


# --- views -----------------------------------------------------------------------------------------------------------


def test_views_are_created_changed_and_dropped(env: TableEnvironment) -> None:
    ok(env, "CREATE VIEW v (a COMMENT 'first', b) COMMENT 'it''s' TBLPROPERTIES ('k' = 'x', other.key = 5) AS TABLE t")
    query = env.from_path("t").select(col("id").alias("a"), col("name").alias("b"))
    assert env.from_view_definition("v").query_operation.normalize() is query.query_operation.normalize()
    assert [c.comment for c in env.get_catalog("mem").get_table("default_database", "v").schema.columns] == [
        "first",
        None,
    ]
    assert rows(env, "SHOW CREATE VIEW v")[0][0] == (
        "CREATE VIEW mem.default_database.v (\n  a COMMENT 'first',\n  b)\nCOMMENT 'it\\'s'\n"
        "TBLPROPERTIES (\n  'k' = 'x',\n  'other.key' = '5')\nAS\nSELECT id AS a, name AS b\n"
        "FROM mem.default_database.t"
    )
    refused(env, "CREATE VIEW v AS SELECT 1 AS a", "v exists", TableAlreadyExistException)
    ok(env, "CREATE VIEW IF NOT EXISTS v AS SELECT 1 AS a")
    assert env.from_path("v").get_resolved_schema().names == ("a", "b")
    ok(env, "CREATE OR REPLACE VIEW v AS SELECT 1 AS a", "ALTER VIEW v SET TBLPROPERTIES ('k' = 'y', comment = 'new')")
    ok(
        env,
        "ALTER VIEW v UNSET TBLPROPERTIES ('other.key')",
        "ALTER VIEW v AS SELECT id FROM t",
        "ALTER VIEW v RENAME TO w",
    )
    stored = env.get_catalog("mem").get_table("default_database", "w")
    assert (stored.schema.names, stored.comment, stored.properties) == (("id",), "new", {"k": "y"})  # type: ignore[union-attr]
    ok(env, "ALTER VIEW mem.default_database.w RENAME TO default_database.v", "DROP VIEW v", "DROP VIEW IF EXISTS v")
    refused(env, "DROP VIEW v", "No view mem.default_database.v", TableNotExistException)
    refused(env, "ALTER VIEW v AS SELECT 1 AS a", "v` was not found", TableNotExistException)


def test_temporary_views(env: TableEnvironment) -> None:
    ok(env, "CREATE TEMPORARY VIEW v AS SELECT id FROM orders", "CREATE TEMP VIEW IF NOT EXISTS v AS SELECT 1 AS x")
    assert env.from_path("v").get_resolved_schema().names == ("id",)
    refused(env, "CREATE TEMPORARY VIEW v AS SELECT 1 AS x", "temporary view 'v' exists", TableAlreadyExistException)
    ok(env, "CREATE OR REPLACE TEMPORARY VIEW V AS SELECT id, name FROM orders", "ALTER VIEW v RENAME TO w")
    assert env.list_temporary_views() == ["orders", "w"]
    ok(env, "ALTER VIEW w AS SELECT name FROM orders")
    assert env.from_path("w").get_resolved_schema().names == ("name",)
    refused(env, "CREATE OR REPLACE TEMP VIEW w AS SELECT * FROM W", "`w` would read itself", ValidationException)
    refused(env, "CREATE TEMPORARY VIEW mem.x AS SELECT 1 AS a", "cannot be in a database", ValidationException)
    refused(env, "CREATE VIEW p AS SELECT * FROM orders", "cannot depend on the temporary view 'orders'")
    ok(env, "DROP VIEW w", "DROP TEMPORARY VIEW IF EXISTS w")
    refused(env, "DROP TEMPORARY VIEW w", "There is no temporary view `w`", TableNotExistException)
    refused(env, "DROP TABLE orders", "is a temporary view; drop it with DROP VIEW", ValidationException)


def test_temporary_views_in_the_namespace_that_spark_has_for_them(env: TableEnvironment) -> None:
    ok(env, "CREATE TEMPORARY VIEW session.v AS SELECT id FROM system.session.orders")
    assert rows(env, "SHOW COLUMNS IN Session.V") == [("id",)]
    read = env.sql_query("SELECT v.id FROM session.v JOIN SYSTEM.SESSION.orders AS o USING (id)")
    assert read.query_operation is env.sql_query("SELECT v.id FROM v JOIN orders AS o USING (id)").query_operation
    ok(env, "ALTER VIEW session.v AS SELECT name FROM orders", "ALTER VIEW session.v RENAME TO session.w")
    assert env.list_temporary_views() == ["orders", "w"]
    refused(env, "SELECT * FROM session.ordres", r"no temporary view 'ordres'.* Did you mean 'orders'\?")
    refused(
        env, "SELECT * FROM system.session.v", r"no temporary view 'v'.*\nline 1, column 15:", TableNotExistException
    )
    refused(env, "CREATE TEMPORARY VIEW system.x AS SELECT 1 AS a", "cannot be in a database", ValidationException)
    ok(env, "DROP VIEW system.session.w", "DROP VIEW IF EXISTS session.w")
    ok(env, "CREATE DATABASE session", "CREATE VIEW mem.session.orders AS SELECT 1 AS stored")
    assert env.from_path("session.orders").get_resolved_schema().names == ("id", "name")
    ok(env, "DROP VIEW session.orders")
    assert env.from_path("session.orders").get_resolved_schema().names == ("stored",)


def test_objects_outside_databases_are_dropped_if_they_exist(env: TableEnvironment) -> None:
    ok(env, "DROP VIEW IF EXISTS nowhere.v", "DROP TABLE IF EXISTS nowhere.t", "DROP FUNCTION IF EXISTS nowhere.f")
    refused(env, "DROP VIEW nowhere.v", "No database nowhere", DatabaseNotExistException)
    assert not env.drop_view("nowhere.v")


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "CREATE VIEW v (a, b) AS SELECT 1",
            r"2 names are given to the 1 columns of the query: 1\.\nline 1, column 16:",
        ),
        ("CREATE VIEW v (a, A) AS SELECT 1, 2", r"Ambiguous column name: A, a\."),
        ("CREATE OR REPLACE VIEW IF NOT EXISTS v AS SELECT 1", r"OR REPLACE or IF NOT EXISTS, not both"),
        ("CREATE VIEW v COMMENT 'a' COMMENT 'b' AS SELECT 1", r"has its comment twice\.\nline 1, column 35:"),
        (
            "CREATE VIEW v DEFAULT COLLATION UNICODE_CI AS SELECT 1",
            r"DEFAULT COLLATION is for stored views of Spark's catalogs.*'a' COLLATE UNICODE_CI, CAST\(a AS STRING",
        ),
        (
            "CREATE TEMPORARY VIEW v DEFAULT COLLATION UNICODE_CI AS SELECT 1",
            r"DEFAULT COLLATION is for stored views.*\nline 1, column 23:",
        ),
        ("CREATE VIEW v WITH SCHEMA BINDING AS SELECT 1", r"WITH SCHEMA is for views of Spark's catalogs"),
        ("CREATE VIEW v AS SELECT nope FROM t", r"Cannot resolve field \[nope\].*\nline 1, column 25:"),
        (
            "CREATE VIEW v AS SELECT nvl(unix_nanos(null), length(name)) FROM t",
            r"UNIX_NANOS is not supported.*\nline 1, column 29:",
        ),
        ("CREATE VIEW v SELECT 1", r"'SELECT' is not expected after 'v'; expected is .*AS"),
        ("CREATE VIEW AS SELECT 1", r"Cannot read the SQL: .* AS.*\nline 1, column 1[36]:"),
        ("ALTER VIEW t AS SELECT 1", r"mem.default_database.t is a table and no view"),
        ("ALTER VIEW t RENAME TO v", r"No view mem.default_database.t"),
        ("ALTER VIEW orders SET TBLPROPERTIES ('a' = 'b')", r"orders` is a temporary view, which has no properties"),
        ("DROP VIEW t", r"is a table; use DROP TABLE"),
        ("DROP TABLE nope", r"No table mem.default_database.nope"),
    ],
)
def test_wrong_statements_about_views(env: TableEnvironment, statement: str, message: str) -> None:
    refused(env, statement, message)


def test_properties_that_are_not_there(env: TableEnvironment) -> None:
    ok(env, "CREATE VIEW v AS SELECT 1 AS a", "ALTER VIEW v UNSET TBLPROPERTIES IF EXISTS (x)")
    refused(env, "ALTER VIEW v UNSET TBLPROPERTIES (x)", "has no property 'x'")
    refused(env, "ALTER VIEW v RENAME TO other.w", r"stays in its database, mem.default_database\.\nline 1, column 24:")
    ok(env, "CREATE VIEW w AS SELECT 1 AS a")
    refused(env, "ALTER VIEW v RENAME TO w", "w exists", TableAlreadyExistException)


def test_tables_of_files_are_dropped(env: TableEnvironment, tmp_path: Path) -> None:
    descriptor = TableDescriptor.for_connector("filesystem").option("path", str(tmp_path)).format("csv")
    made = descriptor.schema(Schema.new_builder().column("a", "INT").build()).build()
    env.create_temporary_table("files", made)
    refused(env, "DROP VIEW files", "is a temporary table; drop it with DROP TABLE")
    ok(env, "DROP TABLE files", "DROP TEMPORARY TABLE IF EXISTS files", "DROP TABLE t", "DROP TABLE IF EXISTS t")
    assert env.list_tables() == ["orders"]


# --- databases and catalogs ------------------------------------------------------------------------------------------


def test_databases(env: TableEnvironment) -> None:
    ok(
        env,
        "CREATE DATABASE d2 COMMENT 'x'",
        "CREATE SCHEMA IF NOT EXISTS D2",
        "USE d2",
        "CREATE VIEW v AS SELECT 1 AS a",
    )
    assert (env.get_current_catalog(), env.get_current_database()) == ("mem", "d2")
    refused(env, "CREATE DATABASE d2", "The database d2 exists in the catalog mem")
    refused(env, "CREATE DATABASE d3 LOCATION '/x'", "The databases of the catalog mem have no location")
    refused(env, "DROP DATABASE d2 CASCADE", "d2 is the current one; USE another before it is dropped")
    ok(env, "USE mem.default_database")
    refused(env, "DROP DATABASE mem.d2", r"d2 of the catalog mem is not empty: it holds \[v\]")
    ok(env, "DROP DATABASE d2 CASCADE", "DROP SCHEMA IF EXISTS d2")
    refused(env, "DROP DATABASE d2", "No database d2 in the catalog mem")
    refused(env, "USE d2", "The catalog 'mem' has no database 'd2'")


@pytest.mark.parametrize("catalog", ["mem", "files"])
def test_messages_about_databases(env: TableEnvironment, catalog: str, tmp_path: Path) -> None:
    ok(env, f"CREATE CATALOG files COMMENT 'of us' WITH ('type' = 'directory', 'path' = '{tmp_path}')")
    ok(env, f"CREATE DATABASE {catalog}.Sales COMMENT 'it''s' WITH ('owner' = 'us', 'a.b' = '1')")
    named = [("Catalog Name", catalog), ("Namespace Name", "Sales")]
    told = [*named, ("Comment", "it's"), ("Properties", "((a.b,1), (owner,us))")]
    assert rows(env, f"DESCRIBE DATABASE EXTENDED {catalog}.sales") == told
    ok(env, f"ALTER DATABASE {catalog}.SALES SET ('owner' = 'them')", f"USE {catalog}.sales")
    ok(env, "ALTER SCHEMA sales SET DBPROPERTIES (c = 2)", "ALTER DATABASE sales UNSET DBPROPERTIES ('a.b', 'none')")
    ok(env, "COMMENT ON DATABASE sales IS 'money'")
    told = [*named, ("Comment", "money"), ("Properties", "((c,2), (owner,them))")]
    assert rows(env, "DESCRIBE DATABASE EXTENDED sales") == told
    ok(env, "COMMENT ON SCHEMA sales IS NULL")
    assert rows(env, "DESCRIBE DATABASE sales") == named
    if catalog == "files":
        assert env.list_databases() == ["Sales", "default"]
        written = "CREATE DATABASE `Sales`\nWITH DBPROPERTIES (\n  'c' = '2',\n  'owner' = 'them');\n"
        assert (tmp_path / "Sales" / "database.sql").read_text(encoding="utf-8") == written
    refused(env, f"ALTER DATABASE {catalog}.nope SET ('a' = 'b')", f"No database nope in the catalog {catalog}")
    refused(env, "ALTER DATABASE sales SET DBPROPERTES ('a' = 'b')", "Did you mean DBPROPERTIES")


def test_a_view_with_two_columns_of_one_name(env: TableEnvironment) -> None:
    repeated = "The query of a view has two columns 'A'. Give one of them another name"
    for statement in (
        "CREATE VIEW v AS SELECT 1 AS a, 2 AS A",
        "CREATE TEMPORARY VIEW v AS SELECT 1 AS a, 2 AS A",
        "CREATE VIEW v AS WITH w(a, A) AS (SELECT 1, 2) SELECT * FROM w",
    ):
        refused(env, statement, repeated)
    ok(env, "CREATE VIEW v (a, b) AS SELECT 1 AS a, 2 AS A")
    refused(env, "ALTER VIEW v AS SELECT 1 AS a, 2 AS A", repeated)
    assert rows(env, "DESCRIBE v") == [("a", "int", None), ("b", "int", None)]


def test_messages_about_catalogs(env: TableEnvironment) -> None:
    ok(env, "CREATE CATALOG other COMMENT 'of us' WITH ('type' = 'generic_in_memory')")
    assert rows(env, "DESCRIBE CATALOG EXTENDED other")[-1] == ("Comment", "of us")
    ok(env, "ALTER CATALOG other COMMENT 'of all'")
    assert rows(env, "DESCRIBE CATALOG EXTENDED other")[-1] == ("Comment", "of all")
    refused(env, "ALTER CATALOG other SET ('default-database' = 'x')", "A catalog keeps the options with which it was")
    refused(env, "ALTER CATALOG other RESET ('default-database')", "A catalog keeps the options with which it was made")
    refused(env, "ALTER CATALOG othr COMMENT 'x'", "There is no catalog named 'othr'.*Did you mean 'other'")
    refused(env, "DROP DATABASE a.b.c", r"a name of one or two parts: \[catalog.\]database")


def test_catalogs(env: TableEnvironment) -> None:
    ok(env, "CREATE CATALOG c2 WITH ('type' = 'generic_in_memory', 'default-database' = 'first')")
    ok(env, "CREATE CATALOG IF NOT EXISTS c2", "USE CATALOG c2")
    assert rows(env, "SHOW CURRENT NAMESPACE") == [("c2", "first")]
    refused(env, "CREATE CATALOG c2", "A catalog named 'c2' exists already")
    refused(env, "DROP CATALOG c2", "c2' is the current one; USE another")
    ok(env, "USE mem", "DROP CATALOG c2", "DROP CATALOG IF EXISTS c2")
    refused(env, "DROP CATALOG spark_catalog", "is one of the Spark session, and cannot be dropped")
    refused(env, "DROP CATALOG c2", "There is no catalog named 'c2'")
    refused(env, "USE CATALOG c2", "There is no catalog named 'c2'")
    refused(env, "USE c2.x", "There is no catalog named 'c2'")
    refused(env, "CREATE CATALOG c3 WITH ('type' = 'jdbc')", "Catalogs of the type 'jdbc' cannot be made here")
    refused(env, "CREATE CATALOG c3 WITH ('x' = 'y')", "A catalog of the type 'generic_in_memory' has no option 'x'")


# --- SHOW and DESCRIBE -----------------------------------------------------------------------------------------------


def test_show_statements(env: TableEnvironment) -> None:
    ok(env, "CREATE VIEW v1 AS SELECT 1 AS a", "CREATE VIEW w AS SELECT 1 AS a", "CREATE DATABASE empty")
    assert env.execute_sql("SHOW TABLES").get_resolved_schema().names == ("namespace", "tableName", "isTemporary")
    stored = [("default_database", name, False) for name in ("t", "v1", "w")]
    assert rows(env, "SHOW TABLES") == [*stored, ("", "orders", True)]
    assert rows(env, "SHOW VIEWS") == [*stored[1:], ("", "orders", True)]
    assert rows(env, "SHOW TABLES IN default_database LIKE 'V*|T'") == stored[:2]
    assert rows(env, "SHOW TABLES FROM mem.default_database NOT LIKE '%'") == []
    assert rows(env, "SHOW VIEWS IN empty 'v*'") == []
    assert rows(env, "SHOW CATALOGS") == [("mem",), ("spark_catalog",)]
    assert rows(env, "SHOW CATALOGS LIKE 'mem'") == [("mem",)]
    assert rows(env, "SHOW DATABASES") == rows(env, "SHOW SCHEMAS IN mem") == [("default_database",), ("empty",)]
    assert rows(env, "SHOW CURRENT CATALOG") == [("mem",)]
    assert rows(env, "SHOW CURRENT DATABASE") == rows(env, "SHOW CURRENT SCHEMA") == [("default_database",)]
    assert (
        rows(env, "SHOW COLUMNS IN t") == rows(env, "SHOW COLUMNS FROM t IN default_database") == [("id",), ("name",)]
    )
    assert rows(env, "SHOW COLUMNS IN orders LIKE 'n*'") == [("name",)]
    assert ("upper",) in rows(env, "SHOW FUNCTIONS")
    assert rows(env, "SHOW FUNCTIONS LIKE 'upper'") == [("upper",)]
    assert rows(env, "SHOW USER FUNCTIONS") == []
    refused(env, "SHOW TABLES IN nope", "No database nope in the catalog mem")
    refused(env, "SHOW TABLES IN a.b.c", "takes the name of a database")
    refused(env, "SHOW DATABASES IN a.b", "takes the name of a catalog")
    refused(env, "SHOW COLUMNS IN nope", "nope` was not found")
    refused(env, "SHOW COLUMNS IN a.t IN b", "has its database in its own name already")
    refused(env, "SHOW CREATE VIEW t", "is a table and no view")
    refused(env, "SHOW VIEWS FORM x", r"'FORM' is .*Did you mean FROM instead of FORM\?\nline 1, column 12")


def test_describe_statements(env: TableEnvironment) -> None:
    described = env.execute_sql("DESCRIBE t")
    assert described.get_resolved_schema().names == ("col_name", "data_type", "comment")
    assert [tuple(row) for row in described.collect()] == [("id", "int", None), ("name", "string", None)]
    assert rows(env, "DESC orders") == [("id", "int", None), ("name", "string", None)]
    assert rows(env, "DESCRIBE TABLE EXTENDED t")[2:] == [
        ("", "", ""),
        ("# Detailed Table Information", "", ""),
        ("Catalog", "mem", ""),
        ("Database", "default_database", ""),
        ("Table", "t", ""),
        ("Type", "TABLE", ""),
        ("Comment", "a table", ""),
    ]
    ok(env, "CREATE VIEW v (a COMMENT 'x') TBLPROPERTIES ('k' = 'y') AS SELECT id FROM t")
    assert rows(env, "DESC v") == [("a", "int", "x")]
    details = {row[0]: row[1] for row in rows(env, "DESC FORMATTED v")}
    assert details["View Text"].startswith("SELECT id AS a\nFROM mem.")
    assert (details["Type"], details["Table Properties"]) == ("VIEW", "[k=y]")
    assert ("Type", "VIEW", "") in rows(env, "DESC EXTENDED orders")
    assert rows(env, "DESCRIBE QUERY SELECT ARRAY(1.5) AS a, id FROM t") == [
        ("a", "array<decimal(2,1)>", None),
        ("id", "int", None),
    ]
    assert rows(env, "DESCRIBE SELECT NAMED_STRUCT('Aa', 1) AS s") == [("s", "struct<Aa:int>", None)]
    assert str(rows(env, "DESCRIBE FUNCTION EXTENDED Upper")[0][0]).startswith("Function: UPPER\n")
    assert rows(env, "DESCRIBE DATABASE default_database")[1] == ("Namespace Name", "default_database")
    assert rows(env, "DESCRIBE CATALOG mem") == [("Catalog Name", "mem"), ("Default Namespace", "default_database")]
    refused(env, "DESCRIBE nope", "nope` was not found")
    refused(env, "DESC FUNCTION uper", r"There is no function named 'uper'. Did you mean 'UPPER'\?")
    refused(env, "DESC DATABASE nope", "The catalog 'mem' has no database 'nope'")


# --- configuration ---------------------------------------------------------------------------------------------------


def test_set_and_reset(env: TableEnvironment) -> None:
    ok(env, "SET 'table.local-time-zone' = 'Europe/Berlin';", "set table.exec.x = a b 'c' ")
    assert env.get_config().get_local_timezone() == "Europe/Berlin"
    assert rows(env, "SET table.exec.x") == [("table.exec.x", "a b 'c'")]
    assert rows(env, "SET") == [("table.exec.x", "a b 'c'"), ("table.local-time-zone", "Europe/Berlin")]
    assert rows(env, "SET 'parallelism.default'") == [("parallelism.default", "<undefined>")]
    ok(env, "RESET 'table.local-time-zone'")
    assert rows(env, "SET") == [("table.exec.x", "a b 'c'")]
    ok(env, "RESET", "SET execution.runtime-mode = batch")
    assert rows(env, "SET") == [("execution.runtime-mode", "batch")]
    refused(env, "SET table.local-time-zone = Berlin", "There is no time zone 'Berlin'")
    refused(
        env, "SET 'execution.runtime-mode' = 'streaming'", "The mode of an environment is chosen when it is created"
    )


# --- inserts and explanations ----------------------------------------------------------------------------------------


def test_invalid_inserts_are_rejected_before_they_run(env: TableEnvironment, tmp_path: Path) -> None:
    descriptor = TableDescriptor.for_connector("filesystem").option("path", str(tmp_path)).format("csv")
    schema = Schema.new_builder().column("a", "INT").column("k", "STRING").build()
    env.create_temporary_table("files", descriptor.schema(schema).partitioned_by("k").build())
    refused(env, "INSERT INTO files SELECT 1", r"it has 1 columns where the table has 2")
    refused(env, "INSERT INTO files VALUES ('x', 'y')", r"cannot be stored as `a` INT")
    refused(env, "INSERT INTO files (a, b) VALUES (1, 2)", r"has no column 'b'")
    refused(env, "INSERT INTO files BY NAME SELECT 1 AS a, 'x' AS q", r"has no column 'q'")
    refused(env, "INSERT INTO files PARTITION (j = 1) SELECT 1", r"has no partition key 'j'")
    refused(
        env, "INSERT INTO files PARTITION (k = upper('a')) SELECT 1", r"partition key 'k' takes a constant\.\nline 1"
    )
    refused(env, "INSERT INTO nope SELECT 1", r"nope` was not found")
    refused(env, "INSERT INTO orders SELECT 1", r"orders` is a temporary view; rows go into tables only")
    refused(env, "INSERT INTO t SELECT 1, 'x'", r"is no table of files, and the catalog mem keeps no new rows")
    refused(
        env, "INSERT INTO files SELECT nvl(unix_nanos(null), length('x')), 'y'", r"UNIX_NANOS is not supported: it uses"
    )
    whole = "EXECUTE STATEMENT SET BEGIN\nINSERT INTO files VALUES (1, 'x');\nINSERT INTO files SELECT nope;\nEND"
    refused(env, whole, r"field \[nope\].*|nope.*\nline 3, column 26:")
    refused(
        env, "EXECUTE STATEMENT SET BEGIN INSERT INTO files SELECT 1, 'x' END", r"'END' is not expected|expected is"
    )


def test_inserts_are_explained(env: TableEnvironment, tmp_path: Path) -> None:
    descriptor = TableDescriptor.for_connector("filesystem").option("path", str(tmp_path)).format("csv")
    schema = Schema.new_builder().column("a", "INT").column("k", "STRING").build()
    env.create_temporary_table("files", descriptor.schema(schema).partitioned_by("k").build())
    explained = rows(env, "EXPLAIN INSERT INTO files PARTITION (k = 'x') SELECT id FROM orders")[0][0]
    fluent = env.from_path("orders").select(col("id")).insert_into("files", partition={"k": "x"})
    assert explained == fluent.explain() == env.explain_sql("INSERT INTO files PARTITION (k='x') SELECT id FROM orders")
    both = rows(env, "EXPLAIN STATEMENT SET BEGIN INSERT INTO files SELECT 1, 'x'; INSERT INTO files TABLE orders; END")
    assert "-- Statement 2 of 2\n" in str(both[0][0])


def test_queries_are_explained(env: TableEnvironment) -> None:
    table = env.sql_query("SELECT id FROM orders")
    assert rows(env, "EXPLAIN SELECT id FROM orders") == [(table.explain(),)]
    assert rows(env, "EXPLAIN PLAN FOR SELECT id FROM orders") == [(table.explain(),)]
    assert rows(env, "EXPLAIN CHANGELOG_MODE, ESTIMATED_COST SELECT id FROM orders") == [
        (table.explain(ExplainDetail.CHANGELOG_MODE, ExplainDetail.ESTIMATED_COST),)
    ]
    assert env.explain_sql("SELECT id FROM orders", ExplainDetail.CHANGELOG_MODE) == table.explain(
        ExplainDetail.CHANGELOG_MODE
    )
    refused(
        env,
        "EXPLAIN SELECT nvl(unix_nanos(null), length(name)) FROM orders",
        "UNIX_NANOS is not supported: it uses nanosecond timestamps",
    )
    with pytest.raises(TableException, match="UNIX_NANOS is not supported: it uses nanosecond timestamps"):
        env.explain_sql("SELECT nvl(unix_nanos(null), length(name)) FROM orders")


def test_plans_are_printed_unchanged(env: TableEnvironment, capsys: pytest.CaptureFixture[str]) -> None:
    env.execute_sql("EXPLAIN SELECT id FROM orders").print()
    assert capsys.readouterr().out == env.sql_query("SELECT id FROM orders").explain() + "\n"
