"""Files of the formats text, XML and Avro, options by name, and files that contradict a declaration."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tableapi import EnvironmentSettings, FormatDescriptor, Schema, TableDescriptor, TableEnvironment
from tableapi.exceptions import TableException, TableNotExistException, ValidationException
from tableapi.expressions import col

_SETTINGS = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()


def _descriptor(path: str | Path, format: str, columns: dict[str, str], **options: str) -> TableDescriptor:
    made = FormatDescriptor.for_format(format)  # type: ignore[arg-type]
    for key, value in options.items():
        made.option(key, value)
    builder = TableDescriptor.for_connector("filesystem").option("path", str(path)).format(made.build())
    return builder.schema(Schema.of(columns)).build()


@pytest.fixture
def te(spark: SparkSession) -> TableEnvironment:
    return TableEnvironment.create(_SETTINGS, spark=spark)


def _rows(te: TableEnvironment, name: str) -> list[Any]:
    with te.from_path(name).execute().collect() as rows:
        return sorted(map(tuple, rows))


def test_text(te: TableEnvironment, tmp_path: Path) -> None:
    te.create_table("lines", _descriptor(tmp_path / "lines", "text", {"line": "STRING"}))
    te.execute_sql("INSERT INTO lines VALUES ('a'), ('b')")
    assert _rows(te, "lines") == [("a",), ("b",)]
    te.create_table("whole", _descriptor(tmp_path / "lines", "text", {"content": "STRING"}, wholetext="true"))
    assert all(content.endswith("\n") for (content,) in _rows(te, "whole"))


def test_xml(te: TableEnvironment, tmp_path: Path) -> None:
    columns = {
        "id": "INT",
        "tags": "ARRAY<STRING>",
        "at": "TIMESTAMP",
        "place": "ROW<city STRING, zip INT>",
        "more": "MAP<STRING, INT>",
    }
    te.create_table("orders", _descriptor(tmp_path / "orders", "xml", columns, rowTag="order", rootTag="orders"))
    te.execute_sql(
        "INSERT INTO orders VALUES (1, array('a', 'b'), TIMESTAMP_NTZ '2024-01-01 10:00:00.123456', "
        "named_struct('city', 'Oslo', 'zip', 150), map('a', 1))"
    )
    (row,) = _rows(te, "orders")
    assert row[:3] == (1, ["a", "b"], dt.datetime(2024, 1, 1, 10, 0, 0, 123456))
    assert (tuple(row[3]), row[4]) == (("Oslo", 150), {"a": 1})
    (file,) = (tmp_path / "orders").glob("*.xml")
    assert "<order>" in file.read_text()


def test_statements_name_the_formats(te: TableEnvironment, tmp_path: Path) -> None:
    te.execute_sql(f"CREATE TABLE a (line STRING) USING text LOCATION '{tmp_path / 'a'}'")
    te.execute_sql(
        "CREATE TABLE b (id INT) WITH ('connector' = 'filesystem', 'format' = 'xml', 'xml.rowTag' = 'r', "
        f"'path' = '{tmp_path / 'b'}')"
    )
    te.execute_sql("INSERT INTO a VALUES ('x')")
    te.execute_sql("INSERT INTO b VALUES (1)")
    assert (_rows(te, "a"), _rows(te, "b")) == ([("x",)], [(1,)])


def test_avro_needs_a_jar(te: TableEnvironment, tmp_path: Path) -> None:
    te.create_table("events", _descriptor(tmp_path / "events", "avro", {"id": "INT"}))
    with pytest.raises(
        TableException,
        match=r"does not contain the package org\.apache\.spark:spark-avro\. Start the session with",
    ):
        te.execute_sql("INSERT INTO events VALUES (1)")
    (tmp_path / "events").mkdir()
    with pytest.raises(TableException, match=r"spark\.jars\.packages"):
        te.from_path("events").to_arrow()


@pytest.mark.parametrize(
    ("format", "columns", "options", "message"),
    [
        ("text", {"a": "STRING", "b": "STRING"}, {}, "files of the format text have one column of type STRING"),
        ("text", {"a": "INT"}, {}, "files of the format text have one column of type STRING"),
        ("xml", {"a": "INT"}, {}, "has no option 'xml.rowTag'"),
        ("xml", {"a": "MAP<INT, INT>"}, {"rowTag": "r"}, "files of the format xml hold no MAP values"),
        ("xml", {"a": "ARRAY<ARRAY<INT>>"}, {"rowTag": "r"}, "files of the format xml hold no ARRAY values"),
        ("xml", {"a": "TIME"}, {"rowTag": "r"}, "files of the format xml hold no"),
        ("xml", {"a": "INT"}, {"rowTag": "r", "rotTag": "x"}, "Did you mean 'rootTag'?"),
        ("csv", {"a": "INT"}, {"headr": "true"}, r"the option 'csv\.headr', .* Did you mean 'header'\?"),
        ("json", {"a": "INT"}, {"multiline": "true"}, None),
        ("parquet", {"a": "INT"}, {"parquet.block.size": "1048576"}, None),
        ("parquet", {"a": "INT"}, {"mergeShema": "true"}, "Did you mean 'mergeSchema'?"),
    ],
)
def test_declarations(
    tmp_path: Path, format: str, columns: dict[str, str], options: dict[str, str], message: str | None
) -> None:
    te = TableEnvironment.create(_SETTINGS)
    descriptor = _descriptor(tmp_path, format, columns, **options)
    if message is None:
        te.create_table("t", descriptor)
        return
    with pytest.raises(TableException, match=message):
        te.create_table("t", descriptor)


def test_files_of_another_format_are_named(te: TableEnvironment, tmp_path: Path) -> None:
    (tmp_path / "people.parquet").write_text("id,name\n1,Ann\n")
    te.create_table("people", _descriptor(tmp_path, "parquet", {"id": "INT"}))
    with pytest.raises(TableException, match=r"people\.parquet"):
        te.from_path("people").to_arrow()


def test_a_column_that_the_files_contradict_is_named(te: TableEnvironment, tmp_path: Path) -> None:
    te.create_table("written", _descriptor(tmp_path / "files", "parquet", {"id": "STRING"}))
    te.execute_sql("INSERT INTO written VALUES ('x')")
    te.create_table("declared", _descriptor(tmp_path / "files", "parquet", {"id": "DOUBLE"}))
    with pytest.raises(TableException, match=r"(?s)id.*\.parquet|\.parquet.*id"):
        te.from_path("declared").to_arrow()


def test_a_column_that_orc_files_contradict_is_named(te: TableEnvironment, tmp_path: Path) -> None:
    folder = tmp_path / "a b"
    te.create_table("first", _descriptor(folder, "orc", {"id": "INT", "place": "ROW<zip INT>", "note": "STRING"}))
    te.execute_sql("INSERT INTO first VALUES (1, named_struct('zip', 150), 'a'), (2, NULL, NULL)")
    wider = {"ID": "BIGINT", "place": "ROW<zip BIGINT, more STRING>", "added": "STRING"}
    te.create_table("wider", _descriptor(folder, "orc", wider))
    assert [(row[0], row[2]) for row in _rows(te, "wider")] == [(1, None), (2, None)]
    for name, columns, message in (
        ("other", {"id": "INT", "note": "DATE"}, "the column note of type STRING, which is declared as DATE"),
        ("narrow", {"id": "SMALLINT"}, "the column id of type INT, which is declared as SMALLINT"),
        (
            "nested",
            {"id": "INT", "place": "ROW<zip STRING>"},
            "the column place of type ROW<`zip` INT>, which is declared as",
        ),
        ("misspelt", {"idd": "INT"}, r"none of the declared columns: it has \[id, place, note\]. Did you mean 'id'"),
    ):
        te.create_table(name, _descriptor(folder, "orc", columns))
        with pytest.raises(ValidationException, match=rf"(?s)a b/part.*\.orc has {message}"):
            te.from_path(name).to_arrow()
    # Of many files, the one is named.
    te.create_table("dates", _descriptor(folder, "orc", {"note": "DATE"}))
    before = set(folder.glob("*.orc"))
    te.execute_sql("INSERT INTO dates VALUES (DATE '2024-01-01')")
    (made,) = set(folder.glob("*.orc")) - before
    with pytest.raises(ValidationException, match=rf"{made.name} has the column note of type DATE"):
        te.from_path("first").to_arrow()
    # A table in Spark's catalog is checked when it is created.
    created = f"CREATE TABLE spark_catalog.default.of_orc (note DATE) USING orc LOCATION '{folder}'"
    with pytest.raises(ValidationException, match=r"\.orc has the column note of type STRING"):
        te.execute_sql(created)
    with pytest.raises(TableNotExistException):
        te.from_path("spark_catalog.default.of_orc")


def test_a_value_that_a_csv_file_contradicts_is_named(te: TableEnvironment, tmp_path: Path) -> None:
    columns = {"id": "INT", "at day": "DATE", "price": "DECIMAL(5, 2)"}
    for name, record, message in (
        ("types", "2;no day;1.5", "column at day is declared as DATE, and the file has 'no day' there: 2;no day;1.5"),
        ("numbers", "2;;one", r"The column price is declared as DECIMAL\(5, 2\), and the file has 'one' there: 2;;one"),
        ("short", "2;2020-01-01", "a record with other columns than the 3 declared ones: 2;2020-01-01"),
    ):
        folder = tmp_path / f"{name} of files"
        folder.mkdir()
        (folder / "rows.csv").write_text(f"id;at day;price\n1;2020-01-01;\n{record}\n")
        options = {"header": "true", "sep": ";", "mode": "FAILFAST"}
        te.create_table(name, _descriptor(folder, "csv", columns, **options))
        with pytest.raises(TableException, match=rf"(?s)rows\.csv.*{message}"):
            te.from_path(name).to_arrow()


def test_a_value_that_a_csv_file_of_spark_contradicts_is_named(te: TableEnvironment, tmp_path: Path) -> None:
    folder = tmp_path / "files of Spark"
    folder.mkdir()
    (folder / "rows.csv").write_text("id;day\n1;2020-01-01\n2;no day\n")
    table, copy = "spark_catalog.default.contradicted", "spark_catalog.default.copied"
    te.execute_sql(
        f"CREATE TABLE {table} (id INT, day DATE) USING csv OPTIONS (sep ';', header true, mode 'FAILFAST') "
        f"LOCATION '{folder}'"
    )
    try:
        message = r"(?s)rows\.csv.*The column day is declared as DATE, and the file has 'no day' there: 2;no day"
        with pytest.raises(TableException, match=message):
            te.from_path(table).select(col("day")).to_arrow()
        with pytest.raises(TableException, match=message):
            te.execute_sql(f"CREATE TABLE {copy} AS SELECT * FROM {table}")
        with pytest.raises(TableNotExistException):
            te.from_path(copy)
    finally:
        te.execute_sql(f"DROP TABLE {table}")
