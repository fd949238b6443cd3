"""Declarations of tables: mistakes, equal trees of equal meaning, and their execution without a Spark."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from ir.commands.command import Command
from tableapi import Dialect, Schema, TableDescriptor, TableEnvironment
from tableapi.exceptions import TableException, ValidationException
from tableapi.expressions import col
from tests.commands.tables import environment

_environment = functools.cache(environment)


@functools.cache
def _in_spark() -> TableEnvironment:
    te = TableEnvironment.create()
    te.declare("s.orders", {"id": "BIGINT", "at": "TIMESTAMP_LTZ"})
    return te


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
    "nondeterministic calls: RAND()",
    "CREATE TABLE t (a INT, CHECK (^a))": "CHECK requires a condition of type BOOLEAN, but a is of type INT.",
    "CREATE TABLE t (at TIMESTAMP) PARTITIONED BY (^dayz(at))": "There is no partition transform 'dayz'; there are "
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


_ICEBERG = TableDescriptor.for_connector("iceberg").schema(
    Schema.of({"id": "BIGINT NOT NULL", "at": "TIMESTAMP_LTZ", "name": "STRING", "r": "ROW<a INT, b DATE>"})
)
_COLUMNS = "(id BIGINT NOT NULL, at TIMESTAMP, name STRING, r STRUCT<a: INT, b: DATE>)"


def _iceberg() -> TableDescriptor.Builder:
    return _ICEBERG.build().to_builder()


@pytest.mark.parametrize(
    ("descriptor", "text"),
    [
        (
            lambda: _iceberg().partitioned_by("NAME", "days(at)", "bucket(16, id)", "truncate(4, name)", "r.b"),
            f"CREATE TABLE s.t {_COLUMNS} USING iceberg PARTITIONED BY (name, days(at), bucket(16, id), "
            "truncate(4, name), r.b)",
        ),
        # Iceberg's documentation calls the transforms so, too.
        (
            lambda: _iceberg().partitioned_by("years(at)", "months(at)", "days(r.b)", "hours(at)"),
            f"CREATE TABLE s.t {_COLUMNS} USING iceberg PARTITIONED BY (year(at), month(at), date(r.b), date_hour(at))",
        ),
        (
            lambda: _iceberg().option("format-version", 2).option("path", "/data/t").comment("all of them"),
            f"CREATE TABLE s.t {_COLUMNS} USING iceberg LOCATION '/data/t' COMMENT 'all of them' "
            "TBLPROPERTIES ('format-version' = '2')",
        ),
        (
            lambda: _iceberg().clustered_by("ID", "r.b"),
            f"CREATE TABLE s.t {_COLUMNS} USING iceberg CLUSTER BY (id, r.b)",
        ),
        (
            lambda: (
                TableDescriptor.for_connector("filesystem").schema(Schema.of({"id": "INT"})).format("parquet")
            ).distributed_by(4, "id"),
            "CREATE TABLE s.t (id INT) USING parquet CLUSTERED BY (id) INTO 4 BUCKETS",
        ),
    ],
)
def test_a_descriptor_of_a_table_format_is_the_statement(
    descriptor: Callable[[], TableDescriptor.Builder], text: str
) -> None:
    made = _in_spark().table_statement("s.t", descriptor().build())
    assert made.get_command() is _in_spark().sql_statement(text).get_command()
    assert _in_spark().sql_statement(made.as_serializable_string()).get_command() is made.get_command()


def test_a_query_and_a_descriptor_are_create_table_as_select() -> None:
    te = _in_spark()
    query = te.from_path("s.orders").filter(col("id") > 1)
    delta = TableDescriptor.for_connector("delta").option("path", "/data/t").partitioned_by("days(at)").build()
    selected = "AS SELECT id, at FROM s.orders WHERE id > 1"
    for made, text in (
        (te.table_statement("s.t", query=query), f"CREATE TABLE s.t {selected}"),
        (
            te.table_statement("s.t", delta, query, or_replace=True),
            f"CREATE OR REPLACE TABLE s.t USING delta PARTITIONED BY (days(at)) LOCATION '/data/t' {selected}",
        ),
        (
            te.table_statement("s.t", query=query, ignore_if_exists=True),
            f"CREATE TABLE IF NOT EXISTS s.t {selected}",
        ),
    ):
        assert made.get_command() is te.sql_statement(text).get_command()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: _iceberg().partitioned_by("dayz(at)"), "no partition transform 'dayz'.*Did you mean 'days'"),
        (lambda: _iceberg().partitioned_by("days(att)"), r"names the column 'att', .*Did you mean 'at'"),
        (lambda: _iceberg().partitioned_by("days(name)"), "days takes a DATE or TIMESTAMP, but name is of type STRING"),
        (lambda: _iceberg().partitioned_by("bucket(id)"), r"takes a number and a column: bucket\(16, id\)"),
        (lambda: _iceberg().partitioned_by("id + 1"), r"takes columns and transforms of one, .* was given 'id \+ 1'"),
        (lambda: _iceberg().partitioned_by("bucket(1.5, id)"), r"takes columns and transforms of one"),
        (lambda: _iceberg().partitioned_by("bucket(id, 16)"), r"takes columns and transforms of one"),
        (lambda: _iceberg().partitioned_by("bucket(0, id)"), r"The number of bucket is at least 1, but is 0"),
        (lambda: _iceberg().partitioned_by("days(at)", "day(at)"), "was given the key 'at' twice"),
        (lambda: _iceberg().option("location", "/x"), r"'location', which Spark reserves\. Set option\('path', …\)"),
        (lambda: _iceberg().partitioned_by("days("), r"the text ends after '\('"),
        (lambda: _iceberg().clustered_by("nmae"), r"clustered_by names the column 'nmae', .*Did you mean 'name'"),
        (lambda: _iceberg().distributed_by(4, "idd"), r"distributed_by names the column 'idd', .*Did you mean 'id'"),
    ],
)
def test_mistakes_in_a_descriptor_of_a_table_format(make: Callable[[], TableDescriptor.Builder], message: str) -> None:
    with pytest.raises(TableException, match=message):
        _in_spark().table_statement("s.t", make().build())


def test_a_statement_is_of_one_table_that_is_kept_or_replaced() -> None:
    te = _in_spark()
    orders = te.from_path("s.orders")
    with pytest.raises(ValidationException, match="has the columns of the query; leave the schema out"):
        te.table_statement("s.t", _iceberg().build(), orders)
    with pytest.raises(ValidationException, match="pass ignore_if_exists or or_replace"):
        te.table_statement("s.t", query=orders, ignore_if_exists=True, or_replace=True)
    with pytest.raises(ValidationException, match="need a descriptor or a query"):
        te.table_statement("s.t", or_replace=True)


def test_only_a_catalog_of_spark_has_tables_of_a_table_format(tmp_path: Path) -> None:
    te = _environment()
    schema = Schema.of({"id": "INT"})
    delta = TableDescriptor.for_connector("delta").schema(schema).option("path", str(tmp_path)).build()
    with pytest.raises(TableException, match="has the format 'delta'; supported are avro"):
        te.create_table("of_delta", delta)
    rows = te.from_elements([(1,)])
    for use in (te.from_descriptor, lambda of: te.create_temporary_table("d", of), rows.execute_insert):
        with pytest.raises(TableException, match=r"only catalogs of Spark find the rows.*te\.from_path\('delta\.`"):
            use(delta)
    with pytest.raises(TableException, match=r"only catalogs of Spark find the rows.*CREATE TABLE … USING iceberg"):
        te.execute_sql("CREATE TABLE t (id INT) WITH ('connector' = 'iceberg', 'path' = '/data/t')")
    assert list(tmp_path.iterdir()) == []


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


def test_files_have_the_metadata_that_flink_names(tmp_path: Path) -> None:
    te = environment()
    columns = (
        "id INT, `file.path` STRING NOT NULL METADATA, named STRING METADATA FROM 'file.name' VIRTUAL, "
        "`file.size` BIGINT METADATA, `file.modification-time` TIMESTAMP_LTZ(3) METADATA"
    )
    te.execute_sql(
        f"CREATE TABLE seen ({columns}) "
        f"WITH ('connector' = 'filesystem', 'path' = '{tmp_path}', 'format' = 'orc', 'orc.compress' = 'ZLIB')"
    )
    names = ["id", "file.path", "named", "file.size", "file.modification-time"]
    assert te.from_path("seen").get_schema().get_field_names() == names
    assert "'orc.compress' = 'ZLIB'" in te.table_statement("seen").as_serializable_string("FLINK")
    assert "`compression` = " not in te.table_statement("seen").as_serializable_string("FLINK")
    with pytest.raises(TableException, match=r"asks for the metadata 'file\.pat', which no connector has.*'file_path'"):
        te.execute_sql(
            "CREATE TABLE other (id INT, `file.pat` STRING METADATA) WITH ('connector' = 'filesystem', 'path' = '/x', "
            "'format' = 'json')"
        )
