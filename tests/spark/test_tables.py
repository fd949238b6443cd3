"""Tables of files on Spark: temporary, permanent, anonymous; written rows are read back."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tableapi import (
    CatalogTable,
    DatabaseNotExistException,
    DataTypes,
    EnvironmentSettings,
    FormatDescriptor,
    InMemoryCatalog,
    Row,
    Schema,
    SqlParserException,
    TableAlreadyExistException,
    TableDescriptor,
    TableEnvironment,
    TableException,
    ValidationException,
)
from tableapi.expressions import col, lit
from tests.spark.rows import rows
from tests.strategies import names, texts

PEOPLE = Schema.new_builder().column("id", "INT NOT NULL").column("name", "STRING").column("p", "INT").build()
PEOPLE_ROWS = [(1, "Ada", 1), (2, "B;o", 2), (3, None, None)]


def files(path: Path, schema: Schema | None = PEOPLE, format: str | FormatDescriptor = "parquet") -> Any:
    builder = TableDescriptor.for_connector("filesystem").option("path", str(path)).format(format)
    return builder if schema is None else builder.schema(schema)


def people(env: TableEnvironment) -> Any:
    row = DataTypes.ROW(
        [
            DataTypes.FIELD("id", DataTypes.INT(False)),
            DataTypes.FIELD("name", DataTypes.STRING()),
            DataTypes.FIELD("p", DataTypes.INT()),
        ]
    )
    return env.from_elements(PEOPLE_ROWS, row)


@pytest.mark.parametrize("format", ["csv", "json", "parquet", "orc"])
@pytest.mark.parametrize("keys", [(), ("p",)])
def test_every_format_returns_the_written_rows(
    env: TableEnvironment, tmp_path: Path, format: str, keys: tuple[str, ...]
) -> None:
    env.create_temporary_table("t", files(tmp_path / "t", format=format).partitioned_by(*keys).build())
    people(env).execute_insert("t")
    assert rows(env.from_path("t")) == PEOPLE_ROWS
    assert rows(env.from_descriptor(files(tmp_path / "t", format=format).build())) == PEOPLE_ROWS
    table = env.from_path("t")
    assert table.as_serializable_string() == "SELECT `id`, `name`, `p`\nFROM `t`"
    # The text runs unchanged in the environment's session, and its types are Spark's.
    analysed = env.spark.sql(table.as_serializable_string())
    assert [f.nullable for f in analysed.schema.fields] == [True, True, True]
    assert repr(table.get_resolved_schema()) == "(`id` INT, `name` STRING, `p` INT)"


def test_flinks_and_sparks_options_of_a_format(env: TableEnvironment, tmp_path: Path) -> None:
    csv = FormatDescriptor.for_format("csv").option("field-delimiter", ";").option("header", True)
    csv = csv.option("null-literal", "nil")
    env.create_temporary_table("t", files(tmp_path / "t", format=csv.build()).build())
    people(env).execute_insert("t")
    assert rows(env.from_path("t")) == PEOPLE_ROWS
    lines = sorted(line for part in (tmp_path / "t").glob("*.csv") for line in part.read_text().splitlines())
    assert set(lines) == {"id;name;p", "1;Ada;1", '2;"B;o";2', "3;nil;nil"}


def test_every_type_that_a_format_holds(env: TableEnvironment, tmp_path: Path) -> None:
    values = (
        True,
        Decimal("1.20"),
        dt.date(2024, 2, 29),
        dt.time(1, 2, 3, 456789),
        dt.datetime(2024, 1, 1, 12, 30, 0, 5),
        dt.datetime(2024, 1, 1, 12, 30, tzinfo=dt.UTC),
        dt.timedelta(days=1, microseconds=5),
        b"\0x",
        [1, None],
        {"a": 1},
        Row(x=1, y="z"),
    )
    types = [
        "BOOLEAN",
        "DECIMAL(10, 2)",
        "DATE",
        "TIME(6)",
        "TIMESTAMP(6)",
        "TIMESTAMP_LTZ(6)",
        "INTERVAL DAY TO SECOND(6)",
        "BYTES",
        "ARRAY<INT>",
        "MAP<STRING, INT>",
        "ROW<x INT, y STRING>",
    ]
    schema = Schema.new_builder()
    for number, text in enumerate(types):
        schema.column(f"c{number}", text)
    row = DataTypes.ROW([DataTypes.FIELD(c.name, c.data_type) for c in schema.build().physical_columns])
    for format, width in (("csv", 7), ("json", 11), ("parquet", 11), ("orc", 11)):
        some = Schema.new_builder()
        for column in schema.build().physical_columns[:width]:
            some.column(column.name, column.data_type)
        env.create_temporary_table(f"t_{format}", files(tmp_path / format, some.build(), format).build())
        given = env.from_elements([values, (None,) * len(values)], row)
        given.select(*[col(f"c{n}") for n in range(width)]).execute_insert(f"t_{format}")
        expected = sorted([values[:width], (None,) * width], key=repr)
        assert rows(env.from_path(f"t_{format}")) == expected, format


def test_computed_columns_and_metadata(env: TableEnvironment, tmp_path: Path) -> None:
    schema = (
        Schema.new_builder()
        .column_by_expression("twice", col("id") * 2)
        .from_schema(PEOPLE)
        .column_by_metadata("file_name", "STRING")
        .column_by_metadata("size", "INT", "file_size")
        .column_by_expression("next", "id + 1 -- one more")
        .primary_key("id")
        .build()
    )
    env.create_temporary_table("t", files(tmp_path / "t", schema).build())
    env.create_temporary_view("v", env.from_path("t").select(col("twice"), col("file_name").like("part-%").alias("f")))
    people(env).execute_insert("t")
    table = env.from_path("t")
    assert table.get_resolved_schema().names == ("twice", "id", "name", "p", "file_name", "size", "next")
    found = rows(table)
    assert [(row[0], row[1], row[6]) for row in found] == [(2, 1, 2), (4, 2, 3), (6, 3, 4)]
    assert all(row[5] > 0 for row in found)  # type: ignore[operator]
    assert rows(env.from_path("v")) == [(2, True), (4, True), (6, True)]


def test_files_that_come_later_are_seen(env: TableEnvironment, tmp_path: Path) -> None:
    env.create_temporary_table("t", files(tmp_path / "t").build())
    env.create_temporary_view("v", env.from_path("t").filter(col("id") > 1))
    with pytest.raises(TableException, match=r"PATH_NOT_FOUND.*Path does not exist") as caught:
        rows(env.from_path("v"))
    assert caught.value.condition == "PATH_NOT_FOUND"
    people(env).execute_insert("t")
    assert len(rows(env.from_path("v"))) == 2
    # Files that another program wrote.
    env.spark.sql("SELECT 7 AS id, 'x' AS name, 1 AS p").write.mode("append").parquet(str(tmp_path / "t"))
    assert len(rows(env.from_path("v"))) == 3


def test_a_path_is_not_a_pattern(env: TableEnvironment, tmp_path: Path) -> None:
    for number, name in enumerate(["a*", "[b]", "{c,d}", "e?", "it's", "f%20g", "h,i", "ü j", "k#l:m"]):
        env.create_temporary_table(f"t{number}", files(tmp_path / name).build(), ignoreIfExists=True)
        people(env).execute_insert(f"t{number}")
        assert rows(env.from_path(f"t{number}")) == PEOPLE_ROWS, name
        assert list((tmp_path / name).glob("*.parquet"))


def test_a_temporary_table_is_dropped_and_its_files_stay(env: TableEnvironment, tmp_path: Path) -> None:
    env.create_temporary_table("t", files(tmp_path / "t").build())
    people(env).execute_insert("t")
    with pytest.raises(TableAlreadyExistException):
        env.create_temporary_table("t", files(tmp_path / "t").build())
    env.create_temporary_table("t", files(tmp_path / "t").build(), ignore_if_exists=True)
    assert env.list_temporary_tables() == ["t"]
    assert env.list_temporary_views() == []
    with pytest.raises(
        ValidationException, match=r"'t' is a temporary table; drop it with drop_temporary_table\('t'\)"
    ):
        env.drop_table("t")
    assert env.drop_temporary_table("t")
    assert not env.drop_temporary_table("t")
    assert list((tmp_path / "t").glob("*.parquet"))


def test_a_permanent_table_is_sparks(env: TableEnvironment, tmp_path: Path) -> None:
    schema = (
        Schema.new_builder()
        .column("id", "BIGINT NOT NULL")
        .with_comment("it's")
        .column("name", "VARCHAR(3)")
        .column("p", "INT")
        .build()
    )
    descriptor = files(tmp_path / "it's ${x}", schema).partitioned_by("p").comment("all 'of' them").build()
    env.create_table("t", descriptor)
    with pytest.raises(TableAlreadyExistException, match=r"ignore_if_exists=True"):
        env.create_table("t", descriptor)
    env.create_table("t", descriptor, ignore_if_exists=True)
    env.from_elements([(1, "Ada", 1)], ["id", "name", "p"]).execute_insert("t")
    path = f"{env.get_current_database()}.t"
    assert [tuple(row) for row in env.spark.sql(f"SELECT * FROM {path}").collect()] == [(1, "Ada", 1)]
    assert list((tmp_path / "it's ${x}" / "p=1").glob("*.parquet"))
    table = env.get_catalog("spark_catalog").get_table(env.get_current_database(), "t")
    assert isinstance(table, CatalogTable)
    assert table.comment == "all 'of' them"
    assert table.partition_keys == ("p",)
    assert repr(table.schema) == "(`id` BIGINT, `name` VARCHAR(3), `p` INT)"
    assert table.schema.columns[0].comment == "it's"
    assert env.drop_table("t")


def test_a_permanent_table_in_the_warehouse(env: TableEnvironment) -> None:
    descriptor = TableDescriptor.for_connector("filesystem").format("orc").schema(PEOPLE).build()
    env.create_table("t", descriptor)
    people(env).execute_insert("t")
    assert rows(env.from_path("t")) == PEOPLE_ROWS


def test_computed_columns_of_a_permanent_table_are_refused(env: TableEnvironment, tmp_path: Path) -> None:
    schema = Schema.new_builder().from_schema(PEOPLE).column_by_expression("twice", col("id") * 2).build()
    with pytest.raises(TableException, match=r"computed columns.*create_view that computes the others"):
        env.create_table("t", files(tmp_path / "t", schema).build())
    assert env.list_tables() == []
    with pytest.raises(ValidationException, match=r"cannot hold a table named 'a b'"):
        env.create_table("`a b`", files(tmp_path / "t").build())


def test_a_catalog_in_memory_reads_and_writes_files(spark: object, tmp_path: Path) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("mem").build()
    env = TableEnvironment.create(settings)
    schema = Schema.new_builder().from_schema(PEOPLE).column_by_expression("twice", col("id") * 2).build()
    env.create_table("t", files(tmp_path / "t", schema).partitioned_by("p").build())
    env.create_view("v", env.from_path("t").filter(col("twice") > 2))
    people(env).execute_insert("t")
    assert rows(env.from_path("v")) == [(2, "B;o", 2, 4), (3, None, None, 6)]
    assert "`mem`.`default_database`.`t`" in env.from_path("t").as_serializable_string()
    catalog = env.get_catalog("mem")
    assert isinstance(catalog, InMemoryCatalog)
    with pytest.raises(TableAlreadyExistException):
        env.create_table("t", files(tmp_path / "other").build())
    with pytest.raises(ValidationException, match=r"has no option 'path'"):
        env.create_table("w", TableDescriptor.for_connector("filesystem").format("orc").schema(PEOPLE).build())
    assert env.create_table_as("copy", env.from_path("v"), files(tmp_path / "copy", None).build())
    assert rows(env.from_path("copy")) == rows(env.from_path("v"))


@given(column=names(), value=texts(), comment=texts())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_arguments_do_not_become_sql(
    env: TableEnvironment, tmp_path: Path, column: str, value: str, comment: str
) -> None:
    schema = Schema.new_builder().column(column, "STRING").with_comment(comment).column("other c", "INT").build()
    format = FormatDescriptor.for_format("json").option("dateFormat", value).build()
    builder = TableDescriptor.for_connector("filesystem").schema(schema).format(format).comment(comment)
    env.create_table("t", builder.build())
    try:
        found = env.get_catalog("spark_catalog").get_table(env.get_current_database(), "t")
        assert isinstance(found, CatalogTable)
        assert found.schema.names == (column, "other c")
        assert (found.comment or "") == comment
        assert (found.schema.columns[0].comment or "") == comment
        answer = env.spark.sql(f"SHOW CREATE TABLE {env.get_current_database()}.t").collect()[0][0]
        assert "other c" in answer
    finally:
        env.drop_table("t")


def test_a_table_of_a_query(env: TableEnvironment, tmp_path: Path) -> None:
    made = env.create_table_as("t", people(env).select(col("id"), col("name")))
    assert [tuple(row) for row in made.collect()] == [(3,)]
    assert rows(env.from_path("t")) == [row[:2] for row in PEOPLE_ROWS]
    with pytest.raises(TableAlreadyExistException, match=r"ignore_if_exists=True"):
        env.create_table_as("t", people(env))
    env.create_table_as("t", people(env), ignore_if_exists=True)
    assert len(env.from_path("t").get_resolved_schema()) == 2
    with pytest.raises(TableException, match=r"cannot replace a table in one step"):
        env.create_table_as("t", people(env), or_replace=True)
    with pytest.raises(ValidationException, match=r"takes its columns from the query"):
        env.create_table_as("u", people(env), files(tmp_path / "u").build())
    env.create_table_as("u", people(env), files(tmp_path / "u", None, "json").partitioned_by("p").build())
    assert rows(env.from_path("u")) == PEOPLE_ROWS
    with pytest.raises(TableException, match=r"files of the format csv hold no ARRAY values"):
        env.create_table_as("w", env.from_elements([([1],)], ["a"]), files(tmp_path / "w", None, "csv").build())


def test_failed_queries_create_no_table(env: TableEnvironment) -> None:
    env.create_temporary_view("ids", env.from_spark(env.spark.range(3)))
    failing = env.from_path("ids").select((lit(1) / (col("id") - 1)).alias("x"))
    with pytest.raises(TableException) as caught:
        env.create_table_as("t", failing)
    assert caught.value.condition == "DIVIDE_BY_ZERO"
    assert "t" not in env.get_catalog("spark_catalog").list_tables(env.get_current_database())
    env.create_table_as("t", people(env))
    assert rows(env.from_path("t")) == PEOPLE_ROWS


def test_the_embedded_catalogs_keep_no_versions(env: TableEnvironment) -> None:
    env.create_table_as("t", people(env))
    with pytest.raises(TableException, match=r"\[UNSUPPORTED_FEATURE.TIME_TRAVEL\]"):
        env.from_path("t", version=3)
    with pytest.raises(TableException, match=r"\[UNSUPPORTED_FEATURE.TIME_TRAVEL\]"):
        env.from_path("t", timestamp=dt.datetime(2024, 1, 1))
    env.create_view("v", env.from_path("t"))
    with pytest.raises(TableException, match=r"v is a view, which has no versions"):
        env.from_path("v", version=3)
    with pytest.raises(ValidationException, match=r"not at both"):
        env.from_path("t", version=3, timestamp=dt.datetime(2024, 1, 1))


# --- read options -----------------------------------------------------------------------------------------------------


def test_options_of_a_table_in_a_query(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "read").mkdir()
    (tmp_path / "read" / "x.csv").write_text("a,b\n1;2,x\n", encoding="utf-8")
    env = TableEnvironment.create(spark=spark)
    env.execute_sql("CREATE DATABASE optional")
    try:
        env.use_database("optional")
        env.execute_sql(f"CREATE TABLE c (a STRING, b STRING) USING csv LOCATION '{tmp_path}/read'")
        env.execute_sql("CREATE VIEW with_header AS SELECT a, b FROM c WITH (header = TRUE)")
        env.execute_sql("CREATE VIEW plain AS SELECT a, b FROM c")
        whole, data = [("1;2", "x"), ("a", "b")], [("1;2", "x")]
        found = env.sql_query("FROM c WITH (header = true)")
        assert found.query_operation is env.from_path("c", options={"header": "true"}).query_operation
        assert rows(found) == rows(env.from_path("with_header")) == data
        assert env.from_view_definition("with_header").query_operation is found.query_operation
        # A table with other options, or without any, is another table; the options of a view do not apply to the tables
        # that it reads.
        assert rows(env.from_path("c")) == rows(env.sql_query("FROM plain WITH (header = true)")) == whole
        assert rows(env.sql_query("SELECT b FROM c WITH (sep = ';', header = true)")) == [("2,x",)]
        one = "SELECT s.a, c.b FROM c WITH (header = true) JOIN c WITH (HEADER 'true') AS s ON c.a = s.a"
        assert rows(env.sql_query(one)) == data
        assert eval(found.to_python().rpartition("result = ")[2], {"env": env}).query_operation is found.query_operation
        # Adjacent strings are one string, and parameters are substituted.
        for given, params in (
            ("header 'tr' 'ue'", None),
            ("header = :h", {"h": "true"}),
            ("header = ?", [True]),
            ("header = 't' :r 'u' :e", {"r": "r", "e": "e"}),
        ):
            assert env.sql_query(f"FROM c WITH ({given})", params).query_operation is found.query_operation
        with pytest.raises(SqlParserException, match=r"this parameter is 1\.5"):
            env.sql_query("FROM c WITH (header = ?)", [1.5])
        # The columns of files read by path depend on the options.
        by_path = env.sql_query(f"FROM csv.`{tmp_path}/read` WITH (header = true)")
        assert (by_path.get_resolved_schema().names, rows(by_path)) == (("a", "b"), data)
        assert (
            by_path.query_operation
            is env.from_path(f"csv.`{tmp_path}/read`", options={"header": "true"}).query_operation
        )
        with pytest.raises(TableException, match=r"PATH_NOT_FOUND"):
            env.from_path("csv.nowhere")
        with pytest.raises(DatabaseNotExistException, match=r"has no database 'csv'"):
            env.from_path(f"spark_catalog.csv.`{tmp_path}/read`")
        for files in (by_path, env.sql_query(f"SELECT _c0 FROM CSV.`{tmp_path}/read`")):
            text = files.to_python()
            assert "from_path(" in text
            assert (
                eval(text.rpartition("result = ")[2], {"env": env, "col": col}).query_operation is files.query_operation
            )
        for text in ("c WITH (versionAsOf = 1)", f"csv.`{tmp_path}/read` VERSION AS OF 1"):
            with pytest.raises(TableException, match=r"UNSUPPORTED_FEATURE\.TIME_TRAVEL"):
                env.sql_query(f"FROM {text}")
        env.execute_sql(
            "CREATE FUNCTION read() RETURNS TABLE (a STRING) RETURN SELECT a FROM optional.c WITH (header = true)"
        )
        assert rows(env.sql_query("FROM read()")) == [("1;2",)]
        # The options of an insert's target are passed to Spark.
        env.execute_sql("CREATE TABLE d (a STRING, b STRING) USING csv")
        env.execute_sql("INSERT INTO d WITH (sep = '|') (b, a) SELECT b, a FROM c WITH (header = true)")
        assert rows(env.from_path("d")) == [("1;2|x", None)]
    finally:
        env.use_database("default")
        env.execute_sql("DROP DATABASE optional CASCADE")
