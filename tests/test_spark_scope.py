"""Statements that Spark executes while the current catalog is one that Spark lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.statement_names import statement_names
from grammar.statement_words import words
from tableapi import DirectoryCatalog, EnvironmentSettings, TableEnvironment, TableException, ValidationException

CATALOGS = ("memory", "folder")

# Statements that only Spark executes, each with the table, database or function names that Spark would look up in its
# own current catalog.
STATEMENTS = """
CREATE TABLE region (a INT) CLUSTERED BY (a) INTO 4 BUCKETS; region
CREATE OR REPLACE TABLE region (a INT) USING parquet; region
REPLACE TABLE region (a INT) USING parquet; region
CREATE TABLE spark_catalog.default.copy AS SELECT * FROM region; region
CREATE TABLE spark_catalog.default.copy LIKE region; region
CREATE EXTERNAL TABLE region (a INT) LOCATION '/tmp/x'; region
CREATE VIEW sums WITH METRICS LANGUAGE YAML AS $$ version: 0.1 $$; sums
CREATE MATERIALIZED VIEW v AS SELECT 1; v
CREATE FUNCTION f AS 'com.example.F'; f
CREATE INDEX i ON TABLE region (a); region
DROP INDEX i ON region; region
ALTER VIEW region WITH SCHEMA BINDING; region
ALTER DATABASE sales SET LOCATION '/tmp/x'; sales
ANALYZE TABLE region COMPUTE STATISTICS; region
ANALYZE TABLES COMPUTE STATISTICS; TABLES
ANALYZE TABLES IN sales COMPUTE STATISTICS; sales
SHOW TABLE EXTENDED LIKE 'region'; EXTENDED
SHOW TABLE EXTENDED IN sales LIKE '*'; sales
SHOW TBLPROPERTIES region; region
SHOW PARTITIONS region; region
SHOW PROCEDURES; PROCEDURES
DESCRIBE region PARTITION (a = 1); region
DESCRIBE region a; region
DESCRIBE EXTENDED region AS JSON; region
REFRESH TABLE region; region
REFRESH FUNCTION f; f
CACHE TABLE region; region
CACHE LAZY TABLE kept AS SELECT * FROM region; region
UNCACHE TABLE IF EXISTS region; region
TRUNCATE TABLE region; region
MSCK REPAIR TABLE region; region
CALL system.compact('region'); system
SET VAR most = (SELECT max(a) FROM region); region
EXECUTE IMMEDIATE 'DROP TABLE region'; EXECUTE
EXPLAIN DELETE FROM region; region
DROP TABLE IDENTIFIER('re' || lower('GION')); IDENTIFIER
BEGIN CREATE TABLE region (a INT) USING parquet\\; END; region
BEGIN IF 1 = 1 THEN DELETE FROM region\\; END IF\\; END; region
OPTIMIZE region; OPTIMIZE
"""


def _cases() -> list[tuple[str, str]]:
    found = []
    for line in STATEMENTS.strip().splitlines():
        statement, _, named = line.replace("\\;", "\0").rpartition("; ")
        found.append((statement.replace("\0", ";"), named))
    return found


@pytest.fixture(params=CATALOGS)
def env(request: pytest.FixtureRequest, tmp_path: Path) -> TableEnvironment:
    """An environment whose current catalog is one that Spark lacks."""
    made = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    if request.param == "folder":
        made.register_catalog("folder", DirectoryCatalog("folder", tmp_path / "folder", "default_database"))
        made.use_catalog("folder")
    made.execute_sql("CREATE VIEW region AS SELECT 1 AS a")
    return made


@pytest.mark.parametrize(("statement", "named"), _cases())
def test_a_statement_of_spark_never_acts_in_another_catalog(env: TableEnvironment, statement: str, named: str) -> None:
    with pytest.raises(TableException) as caught:
        env.execute_sql(statement)
    message = str(caught.value)
    assert "USE CATALOG spark_catalog" in message
    assert f"current catalog {env.get_current_catalog()}" in message.replace("catalog is ", "catalog ")
    line, carets = message.splitlines()[-2:]
    assert line[carets.index("^") :].startswith(named)
    assert env._parts.runtime.started is None, "it was refused without a session"


@pytest.mark.parametrize(("statement", "named"), _cases())
def test_explaining_a_statement_does_not_look_at_another_catalog(
    env: TableEnvironment, statement: str, named: str
) -> None:
    with pytest.raises(TableException, match="USE CATALOG spark_catalog"):
        env.explain_sql(statement)


def test_rejected_statements_suggest_alternatives() -> None:
    env = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    with pytest.raises(ValidationException) as caught:
        env.execute_sql("TRUNCATE TABLE region")
    assert str(caught.value) == (
        "TRUNCATE TABLE is executed by Spark, which does not have the current catalog memory: region means "
        "memory.default_database.region. Nothing was executed. In the catalog memory, execute_insert(path, "
        "overwrite=True) replaces the rows of a table of files there. For one of Spark's, write its whole name, such "
        "as spark_catalog.default.region, or make Spark's catalog the current one first: USE CATALOG spark_catalog.\n"
        "line 1, column 16:\n  TRUNCATE TABLE region\n                 ^^^^^^"
    )


def test_a_name_of_a_catalog_in_memory_is_refused_in_every_catalog() -> None:
    env = TableEnvironment.create()
    env.execute_sql("CREATE CATALOG memory WITH ('type' = 'generic_in_memory')")
    with pytest.raises(
        ValidationException, match=r"Spark, which does not have the catalog memory: memory\.sales\.t is in that"
    ):
        env.execute_sql("ANALYZE TABLE memory.sales.t COMPUTE STATISTICS")
    with pytest.raises(
        ValidationException, match=r"Spark, which does not have the catalog memory: memory\.sales\.t is in that"
    ):
        env.execute_sql("CACHE TABLE memory.sales.t")
    with pytest.raises(
        ValidationException, match=r"Spark, which does not have the catalog memory: memory\.sales is in that"
    ):
        env.execute_sql("ALTER DATABASE memory.sales SET LOCATION '/tmp/x'")
    assert env._parts.runtime.started is None


def test_the_name_of_sparks_catalog_may_be_that_of_one_in_memory() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    env = TableEnvironment.create(settings.with_built_in_database_name("default").build())
    if env.get_catalog("spark_catalog").is_in_spark:
        pytest.skip("the settings are those of Spark's own catalog")
    with pytest.raises(
        ValidationException,
        match="is executed by Spark, which does not have the current catalog spark_catalog: region means",
    ):
        env.execute_sql("TRUNCATE TABLE region")


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("SELECT * FROM a, b.c JOIN (d CROSS JOIN e), (SELECT * FROM f)", "a b.c d e f"),
        ("SELECT * FROM a LATERAL VIEW explode(x) v AS y, z", "a"),
        ("SELECT extract(YEAR FROM x), trim(BOTH FROM y) FROM a WHERE b IS DISTINCT FROM c", "a"),
        ("WITH w (x) AS (SELECT * FROM a), v AS (SELECT * FROM w) SELECT * FROM v, b", "a b"),
        ("SELECT * FROM f(TABLE(a)), g(TABLE b), range(3), LATERAL h(x), c", "a b c"),
        ("FROM a |> JOIN b ON x = y |> UNION ALL (SELECT * FROM c)", "a b c"),
        ("SELECT * FROM VALUES (1), (2) AS t(x), a", "a"),
        ("SELECT 'FROM x' /* FROM y */ FROM `a b` -- FROM z", "a b"),
        ("TABLE a", "a"),
        ("SELECT (SELECT max(x) FROM a) FROM b WHERE EXISTS (FROM c)", "a b c"),
        ("SELECT * FROM a.2020", "a.2020"),
        ("UPDATE a SET x = (SELECT y FROM b), z = 1 WHERE w IN (TABLE c)", "a b c"),
        ("CREATE TEMPORARY VIEW v USING csv OPTIONS (path 'x')", ""),
        ("ADD JAR '/tmp/x.jar'", ""),
        ("DECLARE VARIABLE x INT DEFAULT (SELECT max(a) FROM t)", "t"),
    ],
)
def test_the_names_of_a_statement(statement: str, named: str) -> None:
    found = statement_names(words(statement))
    assert " ".join(".".join(one.parts or ()) for one in found.objects) == named
    assert found.is_known
