"""SQL statements on Spark: those that the environment executes over Spark's catalog, and those that Spark executes."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tableapi import (
    EnvironmentSettings,
    ExplainDetail,
    FunctionNotExistException,
    Schema,
    TableDescriptor,
    TableEnvironment,
    TableException,
    TableNotExistException,
    ValidationException,
)
from tableapi.expressions import col
from tableapi.spark.errors import SparkAnalysisException
from tests.spark.rows import rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.long

# The result of a query that calls ``unix_nanos``, which only Spark has, over a string with one letter.
ONE = "1 years"


@pytest.fixture
def shop(env: TableEnvironment) -> TableEnvironment:
    """An environment with a table and a temporary view."""
    env.execute_sql("CREATE TABLE t (id INT, name STRING) USING parquet")
    env.create_temporary_view("orders", env.from_elements([(1, "a"), (2, "b")], ["id", "name"]))
    return env


def found(env: TableEnvironment, statement: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in env.execute_sql(statement).collect()]


def test_queries_run_as_trees(shop: TableEnvironment) -> None:
    result = shop.execute_sql("SELECT id + 1 AS n, upper(name) AS u FROM orders ORDER BY id DESC")
    assert repr(result.get_resolved_schema()) == "(`n` INT NOT NULL, `u` STRING NOT NULL)"
    assert [tuple(row) for row in result.collect()] == [(3, "B"), (2, "A")]
    # The error of a failing query names the operation, as in the fluent API.
    with pytest.raises(TableException, match=r"^Project: .*DIVIDE_BY_ZERO"):
        shop.execute_sql("SELECT 1 / (id - id) FROM orders")


def test_functions_that_spark_alone_knows(shop: TableEnvironment) -> None:
    assert found(shop, "SELECT nvl(unix_nanos(null), length(name)) || ' years' AS s FROM orders ORDER BY id") == [
        (ONE,),
        (ONE,),
    ]
    assert found(shop, "INSERT INTO t SELECT id, nvl(unix_nanos(null), length(name)) || ' years' FROM orders")[0] == (
        2,
    )
    assert rows(shop.from_path("t").order_by(col("id"))) == [(1, ONE), (2, ONE)]
    shop.execute_sql("CREATE VIEW v AS SELECT nvl(unix_nanos(null), length(name)) || ' years' AS s FROM t")
    # The table now contains "1 years", which has seven letters.
    assert rows(shop.from_path("v").order_by(col("s"))) == [("7 years",), ("7 years",)]
    shop.execute_sql(
        "CREATE TEMPORARY VIEW tv AS SELECT nvl(unix_nanos(null), length(name)) || ' years' AS s FROM orders"
    )
    assert rows(shop.from_path("tv").order_by(col("s"))) == [(ONE,), (ONE,)]
    assert "unix_nanos" in shop.explain_sql("SELECT nvl(unix_nanos(null), length(name)) || ' years' FROM orders")
    assert found(shop, "DESCRIBE FUNCTION unix_nanos")[0] == ("Function: unix_nanos",)
    with pytest.raises(FunctionNotExistException, match="UNIX_NANOS is not supported"):
        shop.sql_query("SELECT nvl(unix_nanos(null), length(name)) || ' years' FROM orders")
    with pytest.raises(FunctionNotExistException, match=r"no function named 'nope'.\nline 1, column 8:"):
        shop.execute_sql("SELECT nope(name) FROM orders")


def test_spark_statements_reject_in_memory_objects(spark: SparkSession) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("mem").build()
    env = TableEnvironment.create(settings, spark=spark.newSession())
    env.execute_sql("CREATE VIEW v AS SELECT 'a' AS name")
    assert found(env, "SELECT name FROM v") == [("a",)]
    with pytest.raises(
        FunctionNotExistException,
        match=r"(?s)UNIX_NANOS is not supported.*Spark was not asked.*does not have the current catalog mem: v means",
    ):
        env.execute_sql("SELECT nvl(unix_nanos(null), length(name)) || ' years' FROM v")
    assert found(env, "SELECT nvl(unix_nanos(null), length('a')) || ' years' AS s") == [(ONE,)]


def test_spark_executes_fully_qualified_statements(spark: SparkSession) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("mem").build()
    env = TableEnvironment.create(settings, spark=spark.newSession())
    database = f"spark_catalog.full_{uuid.uuid4().hex[:8]}"
    env.execute_sql(f"CREATE DATABASE {database}")
    try:
        env.create_temporary_view("orders", env.from_elements([(1, "a"), (2, "b")], ["id", "name"]))
        env.execute_sql(f"CREATE TABLE {database}.t USING parquet AS SELECT * FROM orders")
        env.execute_sql(f"ALTER TABLE {database}.t RENAME TO {database.split('.')[1]}.u")
        env.execute_sql(f"ANALYZE TABLE {database}.u COMPUTE STATISTICS")
        assert found(env, f"SELECT count(unix_nanos(null)), count(*) FROM {database}.u") == [(0, 2)]
        assert found(env, f"SHOW TABLE EXTENDED IN {database} LIKE '*'")[0][1] == "u"
        assert found(
            env, f"BEGIN INSERT INTO {database}.u VALUES (3, 'c'); SELECT count(*) FROM {database}.u; END"
        ) == [(3,)]
        assert env.get_current_catalog() == "mem"
        with pytest.raises(ValidationException, match=r"u means mem\.default_database\.u"):
            env.execute_sql("TRUNCATE TABLE u")
        assert len(found(env, f"SELECT * FROM {database}.u")) == 3
    finally:
        env.execute_sql(f"DROP DATABASE {database} CASCADE")


def test_the_environment_follows_use_of_the_current_namespace(spark: SparkSession) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("mem").build()
    env = TableEnvironment.create(settings, spark=spark.newSession())
    for statement in ("SET CATALOG spark_catalog", "SET CATALOG 'spark_catalog'", "USE spark_catalog.default"):
        env.use_catalog("mem")
        env.execute_sql(statement)
        assert (env.get_current_catalog(), env.get_current_database()) == ("spark_catalog", "default")
    env.execute_sql("SET CATALOG mem")
    assert env.get_current_catalog() == "mem"


def test_a_statement_acts_in_the_current_database_wherever_the_session_is(spark: SparkSession) -> None:
    session = spark.newSession()
    env = TableEnvironment.create(spark=session)
    here, there = (f"at_{uuid.uuid4().hex[:8]}" for _ in range(2))
    for name in (here, there):
        env.execute_sql(f"CREATE DATABASE {name}")
    try:
        env.use_database(here)
        session.catalog.setCurrentDatabase(there)
        env.execute_sql("CREATE TABLE region (a INT) USING parquet")
        env.execute_sql("ALTER TABLE region ADD COLUMNS (b INT)")
        env.execute_sql("CREATE TABLE area LIKE region USING parquet")
        assert [row.tableName for row in session.sql(f"SHOW TABLES IN {here}").collect()] == ["area", "region"]
        assert session.sql(f"SHOW TABLES IN {there}").collect() == []
        assert session.catalog.currentDatabase() == there, "the session of the user stays where it was"
    finally:
        env.use_database("default")
        for name in (here, there):
            env.execute_sql(f"DROP DATABASE {name} CASCADE")


def test_inserts(shop: TableEnvironment) -> None:
    database = shop.get_current_database()
    result = shop.execute_sql("INSERT INTO t VALUES (1, 'x'), (2, NULL)")
    assert result.get_resolved_schema().names == (f"spark_catalog.{database}.t",)
    assert [tuple(row) for row in result.collect()] == [(2,)]
    shop.execute_sql("INSERT INTO TABLE t (name, id) SELECT name, id + 10 FROM orders")
    shop.execute_sql("INSERT INTO t BY NAME SELECT 'by name' AS name, 20 AS id")
    shop.execute_sql("INSERT INTO t VALUES (30, DEFAULT)")
    written = [(1, "x"), (2, None), (11, "a"), (12, "b"), (20, "by name"), (30, None)]
    assert found(shop, "SELECT * FROM t ORDER BY id") == written
    shop.execute_sql("INSERT OVERWRITE t SELECT * FROM orders")
    assert rows(shop.from_path("t").order_by(col("id"))) == [(1, "a"), (2, "b")]


def test_overwriting_partitions_is_as_in_spark(shop: TableEnvironment) -> None:
    shop.execute_sql("CREATE TABLE p (id INT, k STRING) USING parquet PARTITIONED BY (k)")
    shop.execute_sql("INSERT INTO p VALUES (1, 'a'), (2, 'b')")
    shop.execute_sql("INSERT INTO p PARTITION (k = 'b') SELECT 3")
    assert rows(shop.from_path("p").order_by(col("id"))) == [(1, "a"), (2, "b"), (3, "b")]
    assert found(shop, "INSERT OVERWRITE p PARTITION (k = 'b') SELECT 4") == [(1,)]
    assert rows(shop.from_path("p").order_by(col("id"))) == [(1, "a"), (4, "b")]
    # All partitions are replaced unless the session is configured otherwise.
    shop.execute_sql("INSERT OVERWRITE p VALUES (5, 'c')")
    assert rows(shop.from_path("p")) == [(5, "c")]
    shop.execute_sql("SET spark.sql.sources.partitionOverwriteMode = dynamic")
    shop.execute_sql("INSERT OVERWRITE p VALUES (6, 'd')")
    assert rows(shop.from_path("p").order_by(col("id"))) == [(5, "c"), (6, "d")]


def test_inserts_into_files(shop: TableEnvironment, tmp_path: Path) -> None:
    schema = Schema.new_builder().column("a", "INT").column("k", "STRING").column_by_expression("b", "a + 1").build()
    descriptor = TableDescriptor.for_connector("filesystem").schema(schema).format("csv").partitioned_by("k")
    shop.create_temporary_table("files", descriptor.option("path", str(tmp_path)).build())
    shop.execute_sql("INSERT INTO files PARTITION (k = 'x') SELECT id FROM orders")
    shop.execute_sql("INSERT INTO files VALUES (5, 'y')")
    assert found(shop, "SELECT a, k, b FROM files ORDER BY a") == [(1, "x", 2), (2, "x", 3), (5, "y", 6)]
    shop.execute_sql("INSERT OVERWRITE files SELECT 7, 'y'")
    assert found(shop, "SELECT a, k FROM files ORDER BY a") == [(1, "x"), (2, "x"), (7, "y")]
    with pytest.raises(ValidationException, match="reads files, which it would overwrite"):
        shop.execute_sql("INSERT OVERWRITE files PARTITION (k = 'y') SELECT a FROM files")
    assert found(shop, "DROP TABLE files") == [("OK",)]


def test_statement_sets(shop: TableEnvironment) -> None:
    shop.execute_sql("CREATE TABLE u (id INT, name STRING) USING parquet")
    result = shop.execute_sql(
        "EXECUTE STATEMENT SET BEGIN\nINSERT INTO t TABLE orders;\n"
        "INSERT INTO u SELECT 1, nvl(unix_nanos(null), length('x')) || ' years';\nEND;"
    )
    assert [tuple(row) for row in result.collect()] == [(2, 1)]
    assert (rows(shop.from_path("t").order_by(col("id"))), rows(shop.from_path("u"))) == (
        [(1, "a"), (2, "b")],
        [(1, ONE)],
    )
    with pytest.raises(ValidationException, match=r"reads .*t, which statement 1 writes"):
        shop.execute_sql("BEGIN STATEMENT SET; INSERT INTO t VALUES (1, 'x'); INSERT INTO u TABLE t; END;")
    with pytest.raises(ValidationException, match="where the table has 2"):
        shop.execute_sql("EXECUTE STATEMENT SET BEGIN INSERT INTO t VALUES (1, 'x'); INSERT INTO u VALUES (1); END")
    assert len(rows(shop.from_path("t"))) == 2


def test_views(shop: TableEnvironment) -> None:
    shop.execute_sql("INSERT INTO t VALUES (1, 'x')")
    shop.execute_sql(
        "CREATE VIEW v (a COMMENT 'first', b) COMMENT 'c' TBLPROPERTIES ('k' = 'x') AS SELECT id, name FROM t"
    )
    plain = shop.spark.sql(f"SELECT * FROM {shop.get_current_database()}.v")
    assert [tuple(row) for row in plain.collect()] == [(1, "x")]
    assert found(shop, "DESCRIBE v") == [("a", "int", "first"), ("b", "string", None)]
    shop.execute_sql("ALTER VIEW v SET TBLPROPERTIES ('k' = 'y')")
    shop.execute_sql("ALTER VIEW v AS SELECT id + 1 AS a FROM t")
    shop.execute_sql("ALTER VIEW v RENAME TO w")
    assert rows(shop.from_path("w")) == [(2,)]
    assert "'k' = 'y'" in str(found(shop, "SHOW CREATE VIEW w")[0][0])
    with pytest.raises(ValidationException, match=r"cannot depend on the temporary view 'orders'"):
        shop.execute_sql("CREATE VIEW x AS SELECT * FROM orders")
    shop.execute_sql("CREATE VIEW mode WITH SCHEMA BINDING AS SELECT id FROM t")
    assert [row[1] for row in found(shop, "SHOW VIEWS") if not row[2]] == ["mode", "w"]
    shop.execute_sql("DROP VIEW w")
    with pytest.raises(TableNotExistException):
        shop.execute_sql("DROP VIEW w")
    shop.execute_sql("DROP VIEW IF EXISTS w")


def test_scripts(shop: TableEnvironment) -> None:
    script = """BEGIN
      DECLARE total INT DEFAULT 0;
      FOR each AS SELECT * FROM VALUES (1), (2) AS t(k) DO
        SET total = total + each.k; -- not the end;
      END FOR;
      SELECT total, ';' AS sign;
    END;"""
    assert found(shop, script) == [(3, ";")]
    assert found(shop, "BEGIN SELECT 1 AS x; END") == [(1,)]
    assert found(shop, "BEGIN END") == [("OK",)]
    both = shop.execute_sql(
        "BEGIN o: BEGIN DECLARE x INT DEFAULT 1; BEGIN DECLARE x INT DEFAULT 2; SELECT x, o.x; END; END; END"
    )
    assert [tuple(row) for row in both.collect()] == [(2, 1)]
    assert both.get_table_schema().get_field_names() == ["x", "x_1"]


def test_views_with_a_default_collation(shop: TableEnvironment) -> None:
    shop.execute_sql("CREATE VIEW folded DEFAULT COLLATION UTF8_LCASE AS SELECT 'a' = 'A' AS same, 'x' AS x")
    try:
        assert rows(shop.sql_query("SELECT same, x = 'X' AS also FROM folded")) == [(True, True)]
        with pytest.raises(ValidationException, match=r"folded.* was stored with DEFAULT COLLATION UTF8_LCASE"):
            shop.from_view_definition("folded")
        with pytest.raises(ValidationException, match=r"folded.* was made with DEFAULT COLLATION UTF8_LCASE.*Drop it"):
            shop.execute_sql("ALTER VIEW folded AS SELECT 'a' = 'A' AS same")
    finally:
        shop.execute_sql("DROP VIEW folded")
    shop.execute_sql("CREATE VIEW folded DEFAULT COLLATION UTF8_BINARY AS SELECT 'a' = 'A' AS same")
    assert rows(shop.from_view_definition("folded")) == [(False,)]
    shop.execute_sql("DROP VIEW folded")


def test_temporary_views_of_the_session(shop: TableEnvironment) -> None:
    shop.spark.range(1).createOrReplaceTempView("foreign")
    names = [row[1] for row in found(shop, "SHOW VIEWS") if row[2]]
    assert names == ["foreign", "orders"]
    assert [row[0] for row in found(shop, "DESCRIBE foreign")] == ["id"]
    shop.execute_sql("CREATE OR REPLACE TEMPORARY VIEW foreign AS SELECT 'mine' AS x")
    assert found(shop, "SELECT * FROM foreign") == [("mine",)]
    shop.execute_sql("ALTER VIEW foreign AS SELECT 'again' AS y")
    assert rows(shop.from_path("foreign")) == [("again",)]
    shop.spark.range(1).createOrReplaceTempView("other")
    shop.execute_sql("DROP VIEW other")
    assert [row[1] for row in found(shop, "SHOW VIEWS LIKE 'o*'") if row[2]] == ["orders"]


def test_namespaces(shop: TableEnvironment) -> None:
    database = shop.get_current_database()
    shop.execute_sql(f"CREATE DATABASE {database}_2")
    try:
        shop.execute_sql(f"USE {database}_2")
        assert found(shop, "SHOW CURRENT NAMESPACE") == [("spark_catalog", f"{database}_2")]
        shop.execute_sql(f"USE spark_catalog.{database}")
        shop.execute_sql(f"USE SCHEMA {database}_2")
        shop.execute_sql("USE CATALOG spark_catalog")
        assert shop.get_current_database() == "default"
        with pytest.raises(TableException, match="no catalog named 'nope'"):
            shop.execute_sql("USE nope.x")
        with pytest.raises(TableException) as caught:
            shop.execute_sql("USE nope")
        assert caught.value.condition == "SCHEMA_NOT_FOUND"
        assert (f"{database}_2",) in found(shop, "SHOW DATABASES LIKE 'env_*'")
    finally:
        shop.execute_sql(f"DROP DATABASE IF EXISTS {database}_2 CASCADE")
        shop.use_database(database)


def test_settings(shop: TableEnvironment) -> None:
    assert found(shop, "SET spark.sql.shuffle.partitions = 3") == [("spark.sql.shuffle.partitions", "3")]
    assert found(shop, "SET 'spark.sql.shuffle.partitions' = '4'") == [("OK",)]
    assert shop.spark.conf.get("spark.sql.shuffle.partitions") == "4"
    shop.execute_sql("RESET 'spark.sql.shuffle.partitions'")
    shop.execute_sql("SET TIME ZONE 'Europe/Berlin'")
    moment = "SELECT CAST(TIMESTAMP '2024-07-01 12:00:00' AS STRING) AS s, TIMESTAMP '2024-07-01 10:00:00Z' = "
    moment += "TIMESTAMP '2024-07-01 12:00:00' AS e"
    assert found(shop, moment) == [("2024-07-01 12:00:00", True)]
    shop.execute_sql("SET 'table.local-time-zone' = 'UTC'")
    assert found(shop, moment) == [("2024-07-01 12:00:00", False)]
    shop.execute_sql("SET TIME ZONE 'Europe/Berlin'")
    assert shop.get_config().get_local_timezone() == "Europe/Berlin"
    assert found(shop, moment) == [("2024-07-01 12:00:00", True)]
    with pytest.raises(ValidationException, match=r"ansi.enabled is false, must be true: .*Nothing was set"):
        shop.execute_sql("SET spark.sql.ansi.enabled = false")
    assert shop.spark.conf.get("spark.sql.ansi.enabled") == "true"


@pytest.mark.parametrize(
    "mended",
    [
        "SET spark.sql.caseSensitive = false",
        "SET 'spark.sql.caseSensitive' = 'false'",
        "RESET spark.sql.caseSensitive",
        "RESET 'spark.sql.caseSensitive'",
    ],
)
def test_statements_mend_the_settings_of_a_session(shop: TableEnvironment, mended: str) -> None:
    shop.execute_sql("SET 'table.local-time-zone' = 'Europe/Berlin'")
    shop.spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        with pytest.raises(ValidationException, match=r"caseSensitive is true, must be false"):
            shop.execute_sql("SELECT 1 AS one")
        assert found(shop, "SET spark.sql.caseSensitive") == [("spark.sql.caseSensitive", "true")]
        # Setting a value that the session already has is allowed, and does not change which queries are rejected.
        shop.execute_sql("SET spark.sql.ansi.enabled = true")
        shop.execute_sql(mended)
        assert found(shop, "SELECT 1 AS one") == [(1,)]
    finally:
        shop.spark.conf.unset("spark.sql.caseSensitive")


def test_explanations(shop: TableEnvironment) -> None:
    text = str(found(shop, "EXPLAIN EXTENDED SELECT id FROM orders")[0][0])
    assert text.startswith("== Operation tree ==\nProject: (projections: [id])")
    assert "== Analyzed Logical Plan ==" in text
    assert text.split("==")[0] == shop.explain_sql("SELECT id FROM orders", ExplainDetail.PLAN_ADVICE).split("==")[0]
    assert "== Spark's generated code ==" in str(found(shop, "EXPLAIN CODEGEN SELECT id FROM t")[0][0])
    assert "Sink: (table: [" in str(found(shop, "EXPLAIN INSERT INTO t TABLE orders")[0][0])
    assert "unix_nanos" in str(
        found(shop, "EXPLAIN SELECT nvl(unix_nanos(null), length(name)) || ' years' FROM orders")[0][0]
    )
    assert rows(shop.from_path("t")) == []


def test_files_by_their_path(shop: TableEnvironment, tmp_path: object) -> None:
    path = f"{tmp_path}/files"
    shop.spark.range(2).write.parquet(path)
    table = shop.sql_query(f"SELECT id + 1 AS n FROM parquet.`{path}`")
    assert repr(table.get_resolved_schema()) == "(`n` BIGINT)"
    assert rows(table.order_by(col("n"))) == [(1,), (2,)]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("SHOW TABLS", "Did you mean SHOW TABLES?"),
        ("DROP VEW x", "Did you mean DROP VIEW?"),
        ("create tabel x (a INT)", "Did you mean CREATE TABLE?"),
        ("SHOW FULL MODULES", "Modules are Flink's."),
        ("EXECUTE INSERT INTO t SELECT 1", "runs as it is, without EXECUTE."),
        ("REMOVE JAR 'x.jar'", "listed with LIST JARS"),
    ],
)
def test_statements_that_spark_cannot_parse(shop: TableEnvironment, statement: str, said: str) -> None:
    with pytest.raises(SparkAnalysisException, match="PARSE_SYNTAX_ERROR") as caught:
        shop.execute_sql(statement)
    assert said in str(caught.value)


def test_properties_of_databases(shop: TableEnvironment, tmp_path: Path) -> None:
    database = f"said_{uuid.uuid4().hex[:8]}"
    # Spark cannot alter a database whose location contains a blank, as the location in the tests does.
    options = f"COMMENT 'it''s' LOCATION '{tmp_path}' WITH ('team' = 'us', 'k' = 'v')"
    shop.execute_sql(f"CREATE DATABASE {database} {options}")
    try:
        shop.execute_sql(f"ALTER DATABASE {database} SET ('team' = 'them')")
        shop.execute_sql(f"ALTER DATABASE {database} UNSET DBPROPERTIES ('k')")
        told = dict(found(shop, f"DESCRIBE DATABASE EXTENDED {database}"))
        assert (told["Comment"], told["Properties"]) == ("it's", "((team,them))")
    finally:
        shop.execute_sql(f"DROP DATABASE {database}")


def test_statements_on_connect(connect_spark: SparkSession) -> None:
    env = TableEnvironment.create(spark=connect_spark.newSession())
    database = f"sql_on_connect_{uuid.uuid4().hex[:8]}"
    env.execute_sql(f"CREATE DATABASE {database}")
    try:
        env.execute_sql(f"USE {database}")
        env.execute_sql("CREATE TABLE t (a INT, b STRING) USING parquet")
        env.execute_sql("INSERT INTO t VALUES (1, 'x'), (2, NULL)")
        env.execute_sql("CREATE VIEW v AS SELECT a + 1 AS n FROM t WHERE b IS NOT NULL")
        assert found(env, "SELECT n FROM v") == [(2,)]
        assert found(env, "SELECT nvl(unix_nanos(null), length(b)) || ' years' AS s FROM t WHERE a = 1") == [(ONE,)]
        query = env.from_path("t").filter(col("b").is_not_null).select((col("a") + 1).alias("n"))
        assert env.from_view_definition("v").query_operation is query.query_operation
        env.execute_sql("CREATE TEMPORARY VIEW tv AS SELECT a FROM t")
        env.spark.sql("CREATE TEMPORARY VIEW theirs AS SELECT a FROM tv")
        assert env.from_view_definition("theirs").get_resolved_schema().names == ("a",)
        assert [row[1:] for row in found(env, "SHOW TABLES")] == [
            ("t", False),
            ("v", False),
            ("theirs", True),
            ("tv", True),
        ]
        env.execute_sql("SET 'spark.sql.shuffle.partitions' = '3'")
        assert env.spark.conf.get("spark.sql.shuffle.partitions") == "3"
        assert "Sink: " in str(found(env, "EXPLAIN INSERT INTO t SELECT 1, 'x'")[0][0])
    finally:
        env.execute_sql(f"DROP DATABASE {database} CASCADE")
