"""ALTER TABLE in Spark's catalog: Spark executes it, and has the columns afterwards that are inferred here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from grammar.statement_words import statements_of
from tableapi import TableEnvironment
from tableapi.exceptions import TableException, TableNotExistException, ValidationException
from tableapi.spark.types import to_spark

_EXECUTED = """
ALTER TABLE altered ADD COLUMNS (z INT COMMENT 'c');
ALTER TABLE altered ADD COLUMN y STRING DEFAULT 'a';
ALTER TABLE altered ALTER COLUMN id COMMENT 'x';
ALTER TABLE altered CHANGE COLUMN id id INT COMMENT 'y';
ALTER TABLE altered ALTER COLUMN id TYPE INT;
ALTER TABLE altered ALTER COLUMN id SET DEFAULT 5;
ALTER TABLE altered ALTER COLUMN id DROP DEFAULT;
ALTER TABLE altered MODIFY id INT COMMENT 'z';
ALTER TABLE altered SET TBLPROPERTIES ('k' = 'v', 'l' = 'w');
ALTER TABLE altered SET ('m' = 'v');
ALTER TABLE altered UNSET TBLPROPERTIES ('k');
ALTER TABLE altered RESET ('nothing');
ALTER TABLE altered ADD PARTITION (day = '2026-01-01') PARTITION (day = DATE '2026-01-02');
ALTER TABLE altered DROP PARTITION (day = '2026-01-01');
ALTER TABLE altered PARTITION (day = '2026-01-02') RENAME TO PARTITION (day = '2026-01-03');
ALTER TABLE altered RECOVER PARTITIONS;
MSCK REPAIR TABLE altered SYNC PARTITIONS;
COMMENT ON TABLE altered IS 'it is''nt';
ANALYZE TABLE altered COMPUTE STATISTICS FOR COLUMNS id, S;
ANALYZE TABLE altered PARTITION (day) COMPUTE STATISTICS NOSCAN;
REFRESH TABLE altered;
CACHE LAZY TABLE altered;
UNCACHE TABLE altered;
TRUNCATE TABLE altered PARTITION (day = '2026-01-03');
TRUNCATE TABLE altered;
ALTER TABLE altered RENAME TO altered_too;
ALTER TABLE altered_too RENAME TO altered;
DROP TABLE altered;
"""


@pytest.fixture
def te(spark: SparkSession) -> Iterator[TableEnvironment]:
    te = TableEnvironment.create(spark=spark)
    te.execute_sql("DROP TABLE IF EXISTS altered")
    te.execute_sql("DROP TABLE IF EXISTS altered_too")
    te.execute_sql(
        "CREATE TABLE altered (id INT, s STRING, c STRUCT<a: INT>, day DATE) USING parquet PARTITIONED BY (day)"
    )
    yield te
    te.execute_sql("DROP TABLE IF EXISTS altered")
    te.execute_sql("DROP TABLE IF EXISTS altered_too")


def test_spark_executes_each_statement(te: TableEnvironment, spark: SparkSession) -> None:
    for statement in statements_of(_EXECUTED):
        made = te.sql_statement(statement.strip())
        text = made.as_serializable_string()
        assert te.sql_statement(text).get_command() is made.get_command()
        te.execute_sql(statement.strip())
        if "altered_too" in statement or "DROP TABLE" in statement:
            continue
        ours = te.from_path("altered").get_resolved_schema()
        theirs = spark.table("altered").schema
        assert [(c.name, to_spark(c.data_type)) for c in ours.columns] == [(f.name, f.dataType) for f in theirs]


def test_a_fluent_chain_runs_statement_by_statement(te: TableEnvironment, spark: SparkSession) -> None:
    te.alter_table("altered").add_column("x", "INT").change_comment("it").set_property("k", "v").execute()
    assert "x" in spark.table("altered").columns
    properties = {row[0]: row[1] for row in spark.sql("SHOW TBLPROPERTIES altered").collect()}
    assert properties["k"] == "v"


def test_a_mistake_is_found_before_spark_is_asked(te: TableEnvironment) -> None:
    with pytest.raises(ValidationException, match=r"(?s)no column 'idd'.*Did you mean 'id'.*line 1, column 27"):
        te.execute_sql("ALTER TABLE altered ALTER idd COMMENT 'x'")
    with pytest.raises(TableNotExistException, match=r"Did you mean 'altered'"):
        te.execute_sql("ALTER TABLE alterd ADD COLUMN x INT")
    with pytest.raises(ValidationException, match="cannot become SMALLINT"):
        te.execute_sql("ALTER TABLE altered ALTER COLUMN id TYPE SMALLINT")


@pytest.mark.parametrize(
    "change",
    ["DROP COLUMN s", "RENAME COLUMN s TO t", "ALTER COLUMN id TYPE BIGINT", "ALTER COLUMN id FIRST"],
)
def test_what_tables_of_files_lack_is_refused_by_spark(te: TableEnvironment, change: str) -> None:
    before = te.from_path("altered").get_resolved_schema()
    te.sql_statement(f"ALTER TABLE altered {change}")
    with pytest.raises(TableException):
        te.execute_sql(f"ALTER TABLE altered {change}")
    assert te.from_path("altered").get_resolved_schema() is before


def test_a_table_of_files_of_spark_adds_columns_behind_the_others(te: TableEnvironment) -> None:
    te.execute_sql("ALTER TABLE altered ADD COLUMN x INT FIRST")
    assert te.from_path("altered").get_resolved_schema().names == ("id", "s", "c", "x", "day")


def test_a_declaration_follows_its_table(te: TableEnvironment) -> None:
    te.declare("altered", {"id": "INT", "s": "STRING", "c": "ROW<a INT>", "day": "DATE"}, or_replace=True)
    te.execute_sql("ALTER TABLE altered ADD COLUMN x INT")
    assert "x" in te.from_path("altered").get_resolved_schema().names


def test_a_statement_that_only_spark_reads_still_runs(te: TableEnvironment) -> None:
    te.execute_sql("CACHE TABLE kept AS SELECT 1 AS a")
    te.execute_sql("UNCACHE TABLE kept")
