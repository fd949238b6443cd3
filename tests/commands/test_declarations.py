"""Declarations of tables: mistakes, equal trees of equal meaning, and their execution without a Spark."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from ir.commands.command import Command
from tableapi import Dialect, Schema, TableDescriptor
from tableapi.exceptions import TableException, ValidationException
from tableapi.expressions import col
from tests.commands.tables import environment

_environment = functools.cache(environment)


def _read(text: str, dialect: Dialect = Dialect.SPARK) -> Command:
    return _environment().sql_statement(text, dialect=dialect).get_command()


# --- mistakes --------------------------------------------------------------------------------------------------------

MISTAKES = {
    "CREATE TABLE t (a INT, day DATE) USING csv PARTITIONED BY (^dya)": "PARTITIONED BY names the column 'dya', which "
    "the table does not have: [a, day]. Did you mean 'day'?",
    "CREATE TABLE t (a INT, ^A STRING)": "The table has the column 'A' twice.",
    "CREATE TABLE t (a INT) PARTITIONED BY (^a STRING)": "The table has the column 'a' twice.",
    "CREATE TABLE t (a INT, PRIMARY KEY (^b))": "The primary key names the column 'b'",
    "CREATE TABLE t (a INT, d INT DEFAULT ^'x y')": "The DEFAULT of the column 'd' is of type STRING NOT NULL, which "
    "cannot be stored in INT",
    "CREATE TABLE t (a INT NOT NULL DEFAULT ^NULL)": "The DEFAULT of the column 'a' is NULL, and the "
    "column is NOT NULL.",
    "CREATE TABLE t (a INT, b INT DEFAULT ^a)": "Cannot resolve a: no columns are in scope here.",
    "CREATE TABLE t (a INT, b INT GENERATED ALWAYS AS (a), c INT GENERATED ALWAYS AS (^b))": "The expression of the "
    "generated column 'c' refers to 'b', which is generated, too; it may refer to the other columns: [a].",
    "CREATE TABLE t (a INT GENERATED ALWAYS AS (^a))": "refers to itself",
    "CREATE TABLE t (a INT, b DOUBLE GENERATED ALWAYS AS (^rand()))": "cannot contain aggregates, subqueries and "
    "nondeterministic calls: rand()",
    "CREATE TABLE t (a INT, CHECK (^a))": "CHECK requires a condition of type BOOLEAN, but a is of type INT.",
    "CREATE TABLE t (at TIMESTAMP) PARTITIONED BY (^day(at))": "There is no partition transform 'day'; there are "
    "[identity, years, months, days, hours, bucket, truncate]. Did you mean 'days'?",
    "CREATE TABLE t (a INT) PARTITIONED BY (days(^a))": "The transform days takes a DATE or TIMESTAMP",
    "CREATE TABLE t (a INT) PARTITIONED BY (bucket(^a))": "The transform bucket takes a number and a "
    "column: bucket(16, a).",
    "CREATE TABLE t (a STRUCT<b: INT>) PARTITIONED BY (^a.c)": "PARTITIONED BY a names the column 'c'",
    "CREATE TABLE t (a INT) CLUSTERED BY (a) INTO ^0 BUCKETS": "The number of buckets is at least 1",
    "CREATE TABLE t (a INT) CLUSTERED BY (a) SORTED BY (a ^DESC) INTO 4 BUCKETS": "ascending order alone",
    "CREATE TABLE t (a INT REFERENCES ^u)": "A foreign key lists the columns",
    "CREATE TABLE t (^a STRING GENERATED ALWAYS AS IDENTITY)": "The identity column 'a' is a BIGINT",
    "CREATE TABLE t (^a INT) AS SELECT 1 AS b": "A table made from a query has the columns of the query",
    "^CREATE OR REPLACE TABLE IF NOT EXISTS t (a INT)": "OR REPLACE or IF NOT EXISTS, not both",
    "CREATE TABLE t (a INT, PRIMARY KEY (a), CONSTRAINT ^k PRIMARY KEY (a))": "A table has one primary key",
    "^CREATE TABLE t (a INT) USING csv WITH ('connector' = 'kafka')": "Flink's form of CREATE TABLE, which has no "
    "USING",
    "^CREATE TABLE t (a INT) TBLPROPERTIES ('owner' = 'me')": "which Spark reserves",
}


@pytest.mark.parametrize("marked", MISTAKES)
def test_mistakes_are_reported_where_they_are(marked: str) -> None:
    with pytest.raises(TableException) as caught:
        _read(marked.replace("^", ""))
    assert MISTAKES[marked] in str(caught.value)
    assert f"line 1, column {marked.index('^') + 1}:" in str(caught.value)


def test_an_enforced_key_is_refused_in_flinks_dialect_alone() -> None:
    text = "CREATE TABLE t (a INT, PRIMARY KEY (a)) WITH ('connector' = 'kafka')"
    with pytest.raises(ValidationException, match="NOT ENFORCED"):
        _read(text, Dialect.FLINK)
    assert _read(text) is _read(text.replace("(a)) WITH", "(a) NOT ENFORCED) WITH"), Dialect.FLINK)


# --- equal trees -----------------------------------------------------------------------------------------------------


def test_both_dialects_give_a_table_of_files_one_tree() -> None:
    of_flink = _read(
        "CREATE TABLE t (a INT, b STRING NOT NULL) PARTITIONED BY (a) WITH ('connector' = 'filesystem', "
        "'path' = '/d', 'format' = 'csv', 'csv.field-delimiter' = ';')",
        Dialect.FLINK,
    )
    of_spark = _read(
        "create table t (a int, b string not null) using CSV partitioned by (A) options (sep ';') location '/d'"
    )
    assert of_flink is of_spark


def test_a_declared_partition_is_a_column() -> None:
    hive = _read("CREATE TABLE t (a INT) PARTITIONED BY (day DATE) STORED AS orc")
    assert hive is _read("CREATE TABLE t (a INT, day DATE) PARTITIONED BY (day) STORED AS ORC")


def test_a_descriptor_gives_the_tree_of_its_statement() -> None:
    schema = (
        Schema.new_builder()
        .column("sensor", "STRING NOT NULL")
        .column("at", "TIMESTAMP(3)")
        .column_by_expression("day", col("at").cast("DATE"))
        .column_by_metadata("origin", "STRING", "file_path")
        .watermark("at", "at - INTERVAL '5' SECOND")
        .primary_key("sensor")
        .build()
    )
    descriptor = (
        TableDescriptor.for_connector("filesystem")
        .schema(schema)
        .option("path", "/data/readings")
        .format("csv")
        .option("csv.field-delimiter", "|")
        .partitioned_by("sensor")
        .comment("one row a reading")
        .build()
    )
    te = _environment()
    made = te.table_statement("readings", descriptor, ignore_if_exists=True)
    written = te.sql_statement(made.as_serializable_string(Dialect.FLINK), dialect=Dialect.FLINK)
    assert written.get_command() is made.get_command()
    assert "IF NOT EXISTS" in made.as_serializable_string(Dialect.FLINK)


# --- execution -------------------------------------------------------------------------------------------------------


def test_a_table_of_files_is_created_without_a_spark(tmp_path: Path) -> None:
    te = environment()
    te.sql_statement(f"CREATE TABLE lines (a INT, b STRING) USING csv LOCATION '{tmp_path}'").execute()
    assert te.from_path("lines").get_schema().get_field_names() == ["a", "b"]
    te.sql_statement(
        f"CREATE TABLE more (a INT, b AS a + 1, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'filesystem', "
        f"'path' = '{tmp_path}', 'format' = 'json')",
        dialect=Dialect.FLINK,
    ).execute()
    assert te.from_path("more").get_schema().get_field_names() == ["a", "b"]


ONLY_OF_SPARK = {
    "CREATE TABLE t (a INT) PARTITIONED BY (bucket(4, a))": "partition transforms",
    "CREATE TABLE t (a INT DEFAULT 1)": "DEFAULT",
    "CREATE TABLE t (a BIGINT GENERATED ALWAYS AS IDENTITY)": "identity columns",
    "CREATE TABLE t (a INT, b INT GENERATED ALWAYS AS (a + 1))": "generated columns",
    "CREATE TABLE t (a INT, CHECK (a > 1))": "CHECK constraints",
    "CREATE TABLE t (a INT) CLUSTER BY (a)": "CLUSTER BY",
    "CREATE TABLE t (a INT) CLUSTERED BY (a) INTO 4 BUCKETS": "buckets",
    "CREATE OR REPLACE TABLE t (a INT)": "CREATE OR REPLACE TABLE",
}


@pytest.mark.parametrize("text", ONLY_OF_SPARK)
def test_a_catalog_in_memory_names_what_it_lacks(text: str) -> None:
    te = environment()
    statement = te.sql_statement(text)
    with pytest.raises(TableException) as caught:
        statement.execute()
    assert ONLY_OF_SPARK[text] in str(caught.value)
    assert "t" not in te.list_tables()
