"""ALTER TABLE: what is checked before it runs, and what it does to tables of catalogs that Spark does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from ir.commands import alterations as a
from tableapi import EnvironmentSettings, TableEnvironment
from tableapi.catalog.directory import DirectoryCatalog
from tableapi.exceptions import (
    SqlParserException,
    TableAlreadyExistException,
    TableException,
    TableNotExistException,
    ValidationException,
)
from tableapi.expressions import col
from tests.commands.tables import environment


@pytest.fixture
def te() -> TableEnvironment:
    return environment()


@pytest.fixture(params=["memory", "directory"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> TableEnvironment:
    """An environment whose current catalog has a table of each format."""
    te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    if request.param == "directory":
        te.register_catalog("team", DirectoryCatalog("team", tmp_path / "catalog"))
        te.use_catalog("team")
    for format in ("parquet", "orc", "json", "csv"):
        te.execute_sql(
            f"CREATE TABLE in_{format} (id INT, name STRING, at TIMESTAMP_LTZ, day DATE) USING {format} "
            f"PARTITIONED BY (day) LOCATION '{tmp_path / format}' COMMENT 'before'"
        )
    return te


def _columns(te: TableEnvironment, table: str) -> list[str]:
    return list(te.from_path(table).get_resolved_schema().names)


# --- one tree --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spark", "flink"),
    [
        ("ADD COLUMNS (a INT COMMENT 'x' AFTER id, b DATE)", "ADD (a INT COMMENT 'x' AFTER id, b DATE)"),
        ("DROP COLUMNS (tags, day)", "DROP (tags, day)"),
        ("RENAME COLUMN customer TO buyer", "RENAME customer TO buyer"),
        (
            "CHANGE COLUMN amount amount DECIMAL(12, 2) COMMENT 'x' FIRST",
            "MODIFY amount DECIMAL(12, 2) COMMENT 'x' FIRST",
        ),
        ("ALTER COLUMN amount TYPE DECIMAL(12, 2)", "MODIFY amount DECIMAL(12, 2)"),
        ("SET TBLPROPERTIES ('k' = 'v')", "SET ('k' = 'v')"),
        ("UNSET TBLPROPERTIES IF EXISTS ('k')", "RESET ('k')"),
    ],
)
def test_both_dialects_give_one_command(te: TableEnvironment, spark: str, flink: str) -> None:
    of_spark = te.sql_statement(f"ALTER TABLE orders {spark}").get_command()
    assert te.sql_statement(f"ALTER TABLE orders {flink}", dialect="flink").get_command() is of_spark


def test_fluent_changes_give_the_command_of_the_text(te: TableEnvironment) -> None:
    fluent = te.alter_table("ORDERS").add_column("note", "STRING", comment="x", after="ID")
    text = te.sql_statement("ALTER TABLE orders ADD COLUMN note STRING COMMENT 'x' AFTER id")
    assert fluent.get_command() is text.get_command()
    check = te.alter_table("orders").add_check(col("amount") > 0, name="positive")
    text = te.sql_statement("ALTER TABLE orders ADD CONSTRAINT positive CHECK (amount > 0)")
    assert check.get_command() is text.get_command()


def test_several_kinds_of_changes_are_several_statements_which_read_back(te: TableEnvironment) -> None:
    made = (
        te.alter_table("orders")
        .add_column("note", "STRING")
        .rename_column("note", "remark")
        .change_column_comment("remark", "x")
        .set_property("k", "v")
        .rename_to("old_orders")
        .change_comment("old")
    )
    text = made.as_serializable_string()
    assert text.count(";\n") == 5
    assert text.endswith("COMMENT ON TABLE `memory`.`sales`.`old_orders` IS 'old'")
    # The last statement is of another name, which exists only when the others have run.
    alone = made.as_serializable_string().rsplit(";\n", 1)[0]
    assert te.sql_statement(alone).get_command().changes == made.get_command().changes[:-1]  # type: ignore[attr-defined]  # an AlterTable


def test_each_change_is_checked_after_those_before_it(te: TableEnvironment) -> None:
    started = te.alter_table("orders").drop_column("tags")
    with pytest.raises(ValidationException, match="has no column 'tags'"):
        started.rename_column("tags", "labels")
    changes = started.add_column("tags", "INT").drop_not_null("id").get_command().changes
    assert [type(change) for change in changes] == [a.DropColumn, a.AddColumn, a.ChangeColumnNullability]


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("ADD COLUMN ID INT", "has a column ID already"),
        ("ADD COLUMN x INT AFTER costumer", "no column 'costumer'.*Did you mean 'customer'"),
        ("ADD COLUMN tags.x INT", "to which no field can be added"),
        ("ADD COLUMN x INT DEFAULT 'a'", "default of x is of type STRING"),
        ("ADD COLUMN x INT NOT NULL DEFAULT NULL", "x is NOT NULL, and its default is NULL"),
        ("DROP COLUMN custmer", "no column 'custmer'.*Did you mean 'customer'"),
        ("DROP COLUMN address.twon", "address of memory.sales.orders has no field 'twon'.*Did you mean 'town'"),
        ("RENAME COLUMN id TO Customer", "has a column Customer already"),
        ("ALTER COLUMN id TYPE INT", "BIGINT NOT NULL, which cannot become INT NOT NULL: only a wider type"),
        ("ALTER COLUMN address TYPE STRUCT<a: INT>", "changed one by one"),
        ("ALTER COLUMN customer TYPE VARCHAR(5)", "cannot become"),
        ("ALTER COLUMN customer SET NOT NULL", "nullable, and cannot become NOT NULL"),
        ("ALTER COLUMN id AFTER id", "cannot be moved behind itself"),
        ("ALTER COLUMN tags.element COMMENT 'x'", "part of an array or map"),
        ("CHANGE COLUMN id id2 BIGINT", "RENAME COLUMN id TO id2"),
        ("DROP PARTITION (day = '2026-01-01')", "is not partitioned"),
        ("ADD CONSTRAINT c CHECK (amount + 1)", "CHECK takes a condition"),
        ("ADD CONSTRAINT c CHECK (amuont > 1)", "Did you mean"),
        ("ADD CONSTRAINT c CHECK (amount > 1) NOT ENFORCED", "enforced always"),
        ("ADD PRIMARY KEY (idd)", "no column 'idd'"),
        ("ADD WATERMARK FOR customer AS customer", "takes a column of times"),
        ("ADD DISTRIBUTION BY SOME(id)", "HASH or RANGE"),
        ("CLUSTER BY (adress)", "Did you mean 'address'"),
        ("RENAME TO spark_catalog.sales.orders", "stays in its catalog"),
        ("ADD COLUMN x INT COMMENT 'a' COMMENT 'b'", "given twice"),
    ],
)
def test_a_wrong_change_is_refused_at_its_place(te: TableEnvironment, change: str, message: str) -> None:
    with pytest.raises((ValidationException, SqlParserException), match=f"(?s){message}.*line 1, column [0-9]+:.*\\^"):
        te.sql_statement(f"ALTER TABLE orders {change}")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("DROP COLUMN day", "partition column"),
        ("ADD PARTITION (day = '2026-01-01')", "no value of country"),
        ("ADD PARTITION (dya = '2026-01-01')", "Did you mean 'day'"),
        ("ADD PARTITION (day = 1, country = 'DE')", "of type DATE, in which 1 cannot be stored"),
        ("REPLACE COLUMNS (id BIGINT NOT NULL)", "neither NOT NULL nor DEFAULT"),
        ("REPLACE COLUMNS (id BIGINT)", "partitioned by day, which the new columns lack"),
    ],
)
def test_a_wrong_change_of_partitions_is_refused(te: TableEnvironment, change: str, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        te.sql_statement(f"ALTER TABLE visits {change}")


def test_only_tables_are_altered(te: TableEnvironment) -> None:
    te.execute_sql("CREATE VIEW v AS SELECT id FROM orders")
    te.create_temporary_view("tmp", te.from_path("orders"))
    with pytest.raises(ValidationException, match="is a view and not a table; ALTER VIEW"):
        te.sql_statement("ALTER TABLE v ADD COLUMN x INT")
    with pytest.raises(ValidationException, match="temporary"):
        te.sql_statement("ALTER TABLE tmp ADD COLUMN x INT")
    with pytest.raises(TableNotExistException, match="Did you mean 'orders'"):
        te.sql_statement("ALTER TABLE oders ADD COLUMN x INT")
    with pytest.raises(TableNotExistException, match="Did you mean 'orders'"):
        te.alter_table("oders")


def test_an_alteration_without_changes_is_refused(te: TableEnvironment) -> None:
    with pytest.raises(ValidationException, match="has no change"):
        te.alter_table("orders").execute()


# --- what it does ----------------------------------------------------------------------------------------------------


def test_a_declared_table_gets_every_change_of_columns(te: TableEnvironment) -> None:
    te.execute_sql("ALTER TABLE orders ADD COLUMNS (note STRING FIRST, address.zip STRING AFTER street)")
    te.execute_sql("ALTER TABLE orders ALTER COLUMN amount TYPE DECIMAL(12, 2)")
    te.execute_sql("ALTER TABLE orders RENAME COLUMN customer TO buyer")
    te.execute_sql("ALTER TABLE orders DROP COLUMNS (tags, day)")
    te.execute_sql("ALTER TABLE orders MODIFY id BIGINT COMMENT 'number' AFTER buyer")
    schema = te.from_path("orders").get_resolved_schema()
    assert str(schema) == (
        "(`note` STRING, `buyer` STRING, `id` BIGINT, `amount` DECIMAL(12, 2), `placed` TIMESTAMP_LTZ, "
        "`address` ROW<`street` STRING, `zip` STRING, `town` STRING>)"
    )


@pytest.mark.parametrize("format", ["parquet", "orc", "json"])
def test_files_that_find_columns_by_name(files: TableEnvironment, format: str) -> None:
    table = f"in_{format}"
    files.execute_sql(f"ALTER TABLE {table} ADD COLUMN first INT FIRST")
    files.execute_sql(f"ALTER TABLE {table} DROP COLUMN name")
    files.execute_sql(f"ALTER TABLE {table} ALTER COLUMN id TYPE BIGINT")
    assert _columns(files, table) == ["first", "id", "at", "day"]
    for change, message in [
        ("RENAME COLUMN id TO number", "hold the name id"),
        ("REPLACE COLUMNS (a INT, day DATE)", "keep their columns"),
        ("ALTER COLUMN day TYPE TIMESTAMP", "names of directories"),
        ("ADD COLUMN x INT NOT NULL", "which is NULL in their rows"),
        ("ADD COLUMN x INT DEFAULT 1", "does not keep"),
        ("ALTER COLUMN at TYPE TIMESTAMP_NTZ", "do not read as"),
    ]:
        with pytest.raises(TableException, match=message):
            files.execute_sql(f"ALTER TABLE {table} {change}")
    assert _columns(files, table) == ["first", "id", "at", "day"]


def test_csv_finds_columns_by_their_places(files: TableEnvironment) -> None:
    files.execute_sql("ALTER TABLE in_csv RENAME COLUMN name TO title")
    for change in ("ADD COLUMN x INT FIRST", "DROP COLUMN id", "ALTER COLUMN at FIRST"):
        with pytest.raises(TableException, match="finds columns by their places"):
            files.execute_sql(f"ALTER TABLE in_csv {change}")
    files.execute_sql("ALTER TABLE in_csv DROP COLUMN at")
    files.execute_sql("ALTER TABLE in_csv ADD COLUMN x INT AFTER title")
    assert _columns(files, "in_csv") == ["id", "title", "x", "day"]


@pytest.mark.parametrize("format", ["avro", "text", "xml"])
def test_columns_of_other_files_stay(files: TableEnvironment, format: str) -> None:
    row_tag = "OPTIONS ('rowTag' = 'r') " if format == "xml" else ""
    files.execute_sql(f"CREATE TABLE other (value STRING) USING {format} {row_tag}LOCATION '/x'")
    files.execute_sql("ALTER TABLE other ALTER COLUMN value COMMENT 'what'")
    with pytest.raises(TableException, match=f"The files of .*other are {format}, of which only comments"):
        files.execute_sql("ALTER TABLE other ADD COLUMN x INT")


def test_columns_of_a_table_in_another_system_stay(te: TableEnvironment) -> None:
    te.execute_sql(
        "CREATE TABLE far (id INT) WITH ('connector' = 'jdbc', 'url' = 'jdbc:derby:memory:x', 'table-name' = 't')"
    )
    te.execute_sql("COMMENT ON TABLE far IS 'far away'")
    with pytest.raises(TableException, match=r"far are in another system \(jdbc\)"):
        te.execute_sql("ALTER TABLE far ADD COLUMN x INT")


def test_comment_options_location_and_name(files: TableEnvironment, tmp_path: Path) -> None:
    made = (
        files.alter_table("in_csv")
        .change_comment("after")
        .set_property("csv.header", "true")
        .set_location(str(tmp_path / "elsewhere"))
        .rename_to("renamed")
    )
    made.execute()
    catalog = files.get_catalog(files.get_current_catalog())
    assert catalog is not None
    database = files.get_current_database()
    found = catalog.get_table(database, "renamed")
    assert found.comment == "after"
    assert found.files.options == {"header": "true"}  # type: ignore[union-attr]  # a table of files
    assert found.files.path == str(tmp_path / "elsewhere")  # type: ignore[union-attr]  # a table of files
    files.execute_sql("ALTER TABLE renamed RESET ('csv.header')")
    assert catalog.get_table(database, "renamed").files.options == {}  # type: ignore[union-attr]  # a table of files
    assert "in_csv" not in catalog.list_tables(database)
    for change, message in [
        ("SET ('csv.haeder' = 'x', 'format' = 'json')", r"format of the table .* cannot be changed"),
        ("SET ('parquet.header' = 'x')", "not supported"),
        ("RESET ('path')", "needs its path"),
    ]:
        with pytest.raises(TableException, match=message):
            files.execute_sql(f"ALTER TABLE renamed {change}")


def test_all_changes_or_none(files: TableEnvironment) -> None:
    made = files.alter_table("in_parquet").add_column("x", "INT").rename_column("id", "number")
    with pytest.raises(TableException, match="hold the name id"):
        made.execute()
    assert _columns(files, "in_parquet") == ["id", "name", "at", "day"]
    with pytest.raises(TableAlreadyExistException):
        files.alter_table("in_parquet").rename_to("in_orc").execute()
    assert _columns(files, "in_orc") == ["id", "name", "at", "day"]


@pytest.mark.parametrize(
    "change",
    [
        "ADD PARTITION (day = '2026-01-01')",
        "DROP PARTITION (day = '2026-01-01')",
        "ADD CONSTRAINT c CHECK (id > 0)",
        "CLUSTER BY (id)",
        "SET SERDE 'x'",
        "ADD WATERMARK FOR at AS at",
        "ALTER COLUMN id SET DEFAULT 1",
    ],
)
def test_what_these_catalogs_do_not_keep_is_refused_by_name(files: TableEnvironment, change: str) -> None:
    with pytest.raises(TableException, match=r"which Spark does not have; .*(directories that exist|and no more)"):
        files.execute_sql(f"ALTER TABLE in_parquet {change}")


def test_views_over_an_altered_table_notice(files: TableEnvironment) -> None:
    files.execute_sql("CREATE VIEW v AS SELECT id FROM in_parquet")
    before = str(files.from_path("v").get_resolved_schema())
    assert before == "(`id` INT)"
    files.execute_sql("ALTER TABLE in_parquet ALTER COLUMN id TYPE BIGINT")
    assert str(files.from_path("in_parquet").select(col("id")).get_resolved_schema()) == "(`id` BIGINT)"
    assert str(files.from_path("v").get_resolved_schema()) == "(`id` BIGINT)"


def test_a_view_in_memory_keeps_the_columns_that_it_reads(te: TableEnvironment) -> None:
    te.execute_sql("CREATE VIEW named AS SELECT id, customer AS name FROM orders")
    te.execute_sql("CREATE VIEW above AS SELECT name, id + 1 AS next FROM named")
    te.execute_sql("ALTER TABLE orders ADD COLUMN note STRING FIRST")
    refused = r"(?s)cannot be changed so: the view memory.sales.named reads it.*customer"
    with pytest.raises(TableException, match=refused):
        te.execute_sql("ALTER TABLE orders DROP COLUMN customer")
    assert "customer" in _columns(te, "orders")
    te.execute_sql("ALTER TABLE orders ALTER COLUMN id DROP NOT NULL")
    assert str(te.from_path("above").get_resolved_schema()) == "(`name` STRING, `next` BIGINT)"


def test_a_dropped_table_is_gone(files: TableEnvironment) -> None:
    files.sql_statement("DROP TABLE in_csv").execute()
    with pytest.raises(TableNotExistException):
        files.sql_statement("DROP TABLE in_csv").execute()
    files.sql_statement("DROP TABLE IF EXISTS in_csv").execute()


def test_a_cached_query_is_checked_and_has_a_name_alone(te: TableEnvironment) -> None:
    with pytest.raises(ValidationException, match=r"a temporary view: busy, without a database\.\nline 1, column 13"):
        te.sql_statement("CACHE TABLE sales.busy AS SELECT id FROM orders")
    with pytest.raises(ValidationException, match="Did you mean 'id'"):
        te.sql_statement("CACHE LAZY TABLE busy AS SELECT idd FROM orders")
    te.create_temporary_view("busy", te.sql_query("SELECT 1 AS a"))
    with pytest.raises(TableAlreadyExistException, match="There is a temporary object `busy`"):
        te.sql_statement("CACHE TABLE busy AS SELECT 1 AS a").execute()
