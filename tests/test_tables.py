"""File tables and inserts without Spark: descriptors, query texts, and rejected calls."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ir.identifiers import ObjectIdentifier
from ir.operations.source import Source
from tableapi import (
    DataTypes,
    Dialect,
    EnvironmentSettings,
    FormatDescriptor,
    ResolvedSchema,
    Schema,
    TableDescriptor,
    TableEnvironment,
    TableException,
    ValidationException,
)
from tableapi.data.values import value_expression
from tableapi.expressions import col

ROOT = Path(__file__).resolve().parent.parent
PEOPLE = Schema.new_builder().column("id", "INT NOT NULL").column("name", "STRING").column("p", "INT").build()


def descriptor(format: str | FormatDescriptor = "csv", schema: Schema = PEOPLE) -> TableDescriptor.Builder:
    return TableDescriptor.for_connector("filesystem").schema(schema).option("path", "/nowhere").format(format)


@pytest.fixture
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("mem").build()
    return TableEnvironment.create(settings)


def test_a_description_and_its_builder() -> None:
    csv = FormatDescriptor.for_format("csv").option("header", True).option("samplingRatio", 0.5).build()
    made = descriptor(csv).partitioned_by("p").comment("it's").build()
    assert made.get_options() == {
        "connector": "filesystem",
        "path": "/nowhere",
        "format": "csv",
        "csv.header": "true",
        "csv.samplingRatio": "0.5",
    }
    assert made.get_schema() == PEOPLE
    assert made.get_partition_keys() == ["p"]
    assert made.get_comment() == "it's"
    assert made.to_builder().build() == made
    assert made.to_builder().option("path", "/other").build() != made
    assert csv.get_format() == "csv"
    assert str(made).startswith("(\n  `id` INT NOT NULL,")


def test_queries_over_declared_tables_compile_without_spark(env: TableEnvironment) -> None:
    schema = Schema.new_builder().from_schema(PEOPLE).column_by_expression("twice", col("id") * 2).build()
    env.create_table("t", descriptor("json", schema).build())
    env.create_temporary_table("w", descriptor("json", schema).build())
    # Spark considers every column of files nullable.
    assert repr(env.from_path("t").get_resolved_schema()) == "(`id` INT, `name` STRING, `p` INT, `twice` INT)"
    assert env.from_path("t").as_serializable_string().endswith("FROM `mem`.`default_database`.`t`")
    assert env.from_path("w").as_serializable_string(Dialect.FLINK).endswith("FROM `w`")
    assert env.list_tables() == ["t", "w"]
    assert env.drop_table("t")
    anonymous = env.from_descriptor(descriptor("json", schema).build())
    assert anonymous.get_resolved_schema().names == ("id", "name", "p", "twice")
    with pytest.raises(TableException, match=r"anonymous table of files .*create_temporary_view\('name', table\)"):
        anonymous.as_serializable_string()
    env.create_temporary_view("v", anonymous)
    assert env.from_path("v").as_serializable_string().endswith("FROM `v`")


def test_no_pyspark_is_loaded_for_them() -> None:
    program = """
import sys
from tableapi import *
env = TableEnvironment.create()
schema = Schema.new_builder().column("a", "ROW<x INT, y ARRAY<STRING>>").build()
env.create_temporary_table("t", TableDescriptor.for_connector("filesystem").schema(schema).option("path", "/x")
    .format("parquet").build())
table = env.from_path("t")
try:
    table.insert_into("t", overwrite=True)
except ValidationException as error:
    assert "which it would overwrite" in str(error)
print(table.insert_into("t").explain())
loaded = [name for name in sys.modules if name.split(".")[0] in ("pyspark", "py4j", "pandas", "pyarrow")]
assert not loaded, loaded
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, timeout=60, capture_output=True)
    assert done.stdout.decode().startswith("== Operation tree ==\nSink: (table: [t], fields: [a])\n    CatalogTable: ")


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda: TableDescriptor.for_connector("kinesis").schema(PEOPLE).build(),
            r"connector 'kinesis' is not supported",
        ),
        (lambda: TableDescriptor.for_connector("filesystem").schema(PEOPLE).build(), r"The table \S*t has no format"),
        (
            lambda: descriptor("cvs").build(),
            r"no format 'cvs' of files here; there are avro, csv, json, orc, parquet, text, xml.*mean 'csv'",
        ),
        (lambda: descriptor().option("path", " ").build(), r"option 'path' of the table \S*t is empty"),
        (
            lambda: TableDescriptor.for_connector("filesystem").schema(PEOPLE).format("csv").build(),
            r"The table \S*t has no option 'path'",
        ),
        (
            lambda: TableDescriptor.for_connector("filesystem").option("path", "/x").format("csv").build(),
            r"needs a schema",
        ),
        (lambda: descriptor().option("source.path.regex-pattern", "x").build(), r"regex-pattern.*It is one of Flink"),
        (lambda: descriptor().option("sink.rolling-policy.file-size", "1").build(), r"maxFilesPerTrigger"),
        (lambda: descriptor().option("json.x", "1").build(), r"option 'json.x', which is not supported"),
        (lambda: descriptor().option("csv.field-delimitr", "1").build(), r"Did you mean 'field-delimiter'"),
        (lambda: descriptor().option("csv.ignore-parse-errors", "true").build(), r"'csv.mode' says what happens"),
        (lambda: descriptor().option("csv.PATH", "/y").build(), r"'csv.PATH'; that is said by the option 'path'"),
        (lambda: descriptor().option("csv.partitionOverwriteMode", "x").build(), r"said by overwrite=True"),
        (lambda: descriptor().partitioned_by("id", "name", "p").build(), r"All columns of .* are partition keys"),
        (lambda: "t", r"A TableDescriptor is expected, but was given 't'"),
    ],
)
def test_wrong_descriptions(env: TableEnvironment, build: Callable[[], Any], message: str) -> None:
    for method in (env.create_table, env.create_temporary_table):
        with pytest.raises(TableException, match=message):
            method("t", build())
    assert env.list_tables() == []


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: TableDescriptor.for_managed(), r"for_managed is not supported"),
        (lambda: TableDescriptor.for_connector(""), r"A connector must be a text"),
        (lambda: descriptor().distributed_by(0, "id"), r"The number of buckets is a whole number from 1, but is 0"),
        (lambda: descriptor().distributed_by("id"), r"from 1, but is 'id'|Buckets need columns"),
        (lambda: descriptor().distributed_by_hash(4, "id", "ID"), r"was given the column 'ID' twice"),
        (lambda: descriptor().clustered_by(4), r"A clustering column must be a text, but is 4"),
        (lambda: TableDescriptor.for_connector("dleta"), r"Did you mean 'delta'"),
        (lambda: TableDescriptor.for_connector("iceberg").format("parquet"), r"'iceberg' is the format of the table"),
        (lambda: descriptor().partitioned_by("q").build(), r"partition key 'q' is no stored column"),
        (lambda: descriptor().option("path", []), r"option 'path' takes a text, a number or a truth value"),
        (lambda: descriptor().schema("a INT"), r"schema takes a Schema"),  # type: ignore[arg-type]
    ],
)
def test_wrong_calls_of_the_builder(build: Callable[[], Any], message: str) -> None:
    with pytest.raises(TableException, match=message):
        build()


@pytest.mark.parametrize(
    ("format", "type_text", "message"),
    [
        ("csv", "ARRAY<INT>", r"`c` ARRAY<INT>: files of the format csv hold no ARRAY values"),
        ("csv", "ROW<x INT>", r"hold no ROW values"),
        ("csv", "BYTES", r"hold no BYTES values"),
        ("csv", "VARIANT", r"hold no VARIANT values"),
        ("orc", "MAP<STRING, ARRAY<VARIANT>>", r"format orc hold no VARIANT values"),
        ("parquet", "ARRAY<ROW<>>", r"format parquet hold no ROW values without fields"),
    ],
)
def test_types_that_a_format_cannot_hold(env: TableEnvironment, format: str, type_text: str, message: str) -> None:
    schema = Schema.new_builder().column("a", "INT").column("c", type_text).build()
    with pytest.raises(TableException, match=message):
        env.create_temporary_table("t", descriptor(format, schema).build())


def test_computed_columns_are_checked_when_they_are_declared(env: TableEnvironment) -> None:
    def declare(expression: Any) -> None:
        schema = Schema.new_builder().from_schema(PEOPLE).column_by_expression("c", expression).build()
        env.create_temporary_table("t", descriptor("csv", schema).build())

    with pytest.raises(
        TableException, match=r"'unix_nanos\(null\) \+ id' can be read by Spark alone, if at all, and no"
    ):
        declare("unix_nanos(null) + id")
    with pytest.raises(ValidationException, match=r"Cannot resolve field \[idd\].*Did you mean 'id'"):
        declare(col("idd") + 1)
    with pytest.raises(ValidationException, match=r"The computed column 'c' holds the aggregate"):
        declare(col("id").sum)
    assert env.list_temporary_tables() == []
    declare("id + 1")
    assert repr(env.from_path("t").get_resolved_schema().columns[-1]) == "`c` INT"


def test_an_insert_is_checked_without_spark(env: TableEnvironment) -> None:
    env.create_table("t", descriptor("json").partitioned_by("p").build())
    rows = env.from_elements([(1, "x", 2)], ["id", "name", "p"])
    pipeline = rows.insert_into("t", overwrite=True)
    assert repr(pipeline.get_identifier()) == "ObjectIdentifier(mem.default_database.t)"
    assert repr(pipeline).startswith("TablePipeline into t (overwrite):\nTable(\n")
    explained = pipeline.explain()
    assert explained.startswith(
        "== Operation tree ==\n"
        "Sink: (table: [mem.default_database.t], fields: [id, name, p], overwrite: [true])\n    Values"
    )
    assert "Spark's plan" not in explained
    with pytest.raises(ValidationException, match=r"column 0 `name` STRING NOT NULL cannot be stored as `id` INT"):
        rows.select(col("name"), col("id"), col("p")).insert_into("t")
    env.create_view("v", env.from_path("t"))
    with pytest.raises(ValidationException, match=r"mem.default_database.v is a view; rows go into tables only"):
        rows.insert_into("v")
    statements = env.create_statement_set().add(pipeline)
    assert statements.explain().startswith("-- Statement 1 of 1\n== Operation tree ==")


# --- time travel ------------------------------------------------------------------------------------------------------


def test_a_table_as_it_was() -> None:
    schema = ResolvedSchema.of(["a"], [DataTypes.INT()])
    path = ObjectIdentifier("t", "db", "lake")
    for version, text in (("3", "3"), ("it's", r"'it\'s'"), ("٣", "'٣'")):
        source = Source(path, schema, version)
        assert source.as_serializable_string() == f"SELECT `a`\nFROM `lake`.`db`.`t` VERSION AS OF {text}"
        assert f"version: [{version}]" in source.as_summary_string()
        with pytest.raises(TableException, match=r"cannot be written in SQL of Flink.*use timestamp="):
            source.as_serializable_string(Dialect.FLINK)
    moment: Any = value_expression(dt.datetime(2024, 1, 1, 12, 30))
    source = Source(path, schema, None, moment)
    literal = moment.as_serializable_string()
    assert source.as_serializable_string().endswith(f"`t` TIMESTAMP AS OF {literal}")
    assert source.as_serializable_string(Dialect.FLINK).endswith(
        "`t` FOR SYSTEM_TIME AS OF TIMESTAMP '2024-01-01 12:30:00'"
    )
    assert source is not Source(path, schema)


def test_a_table_with_options() -> None:
    source = Source(ObjectIdentifier("t", "db", "lake"), ResolvedSchema.of(["a"], [DataTypes.INT()]))
    read = source.evolve(options=(("a.b", "it's ${x}"), ("header", "true")))
    assert read.as_serializable_string() == (
        "SELECT `a`\nFROM `lake`.`db`.`t` WITH ('a.b' = 'it\\'s \\u0024{x}', 'header' = 'true')"
    )
    assert "options: [a.b=it's ${x}, header=true]" in read.as_summary_string()
    assert read is not source
    assert read is not source.evolve(options=read.options[::-1])
    assert "`t` VERSION AS OF 3 WITH (" in read.evolve(version="3").as_serializable_string()
    with pytest.raises(TableException, match=r"The options of lake.db.t cannot be written in SQL of Flink"):
        read.as_serializable_string(Dialect.FLINK)


def test_only_tables_of_spark_take_options(env: TableEnvironment) -> None:
    env.create_table("t", descriptor().build())
    env.create_temporary_table("w", descriptor().build())
    env.create_view("v", env.from_path("t"))
    env.create_temporary_view("x", env.from_path("t"))
    with pytest.raises(TableException, match=r"is in the catalog mem, whose tables are read with their own options"):
        env.from_path("t", options={"header": "true"})
    with pytest.raises(TableException, match=r"The temporary table w is read with its own options alone"):
        env.sql_query("SELECT * FROM w WITH (header = true)")
    for view in ("v", "x"):
        # Spark ignores options of a view.
        assert env.sql_query(f"FROM {view} WITH (header = true)").query_operation is env.from_path(view).query_operation
        with pytest.raises(TableException, match=r"is a view, which has no versions"):
            env.from_path(view, options={"versionAsOf": "1"})
    with pytest.raises(ValidationException, match=r"options takes a dictionary of texts, but was given 'header'"):
        env.from_path("t", options="header")  # type: ignore[arg-type]  # it is refused
    with pytest.raises(ValidationException, match=r"keys and values of options are texts, but 'header': True was"):
        env.from_path("t", options={"header": True})  # type: ignore[dict-item]  # as is this


def test_catalogs_in_memory_keep_no_versions(env: TableEnvironment) -> None:
    env.create_table("t", descriptor().build())
    env.create_temporary_table("w", descriptor().build())
    with pytest.raises(TableException, match=r"is in the catalog mem, which keeps no versions"):
        env.from_path("t", version=1)
    with pytest.raises(TableException, match=r"w is a view, which has no versions"):
        env.from_path("w", timestamp=dt.datetime(2024, 1, 1))
    with pytest.raises(ValidationException, match=r"version takes a whole number or the name of a version"):
        env.from_path("t", version=True)
    with pytest.raises(ValidationException, match=r"timestamp takes a datetime, but was given '2024'"):
        env.from_path("t", timestamp="2024")  # type: ignore[arg-type]
