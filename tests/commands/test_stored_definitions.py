"""What a catalog gives back of a table: SHOW CREATE TABLE, DESCRIBE EXTENDED, LIKE, and the definition after ALTER."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tableapi import Dialect, DirectoryCatalog, EnvironmentSettings, Schema, TableDescriptor, TableEnvironment
from tableapi.exceptions import CatalogException, TableException, TableNotExistException, ValidationException
from tests.commands.test_declarations import environment

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ORDERS = """\
CREATE TABLE `memory`.`sales`.`orders` (
    `id` BIGINT NOT NULL COMMENT 'the id',
    `amount` DECIMAL(10, 2),
    `tax` AS `amount` * 0.2,
    `at` TIMESTAMP(6),
    `file` STRING METADATA FROM 'file_path' VIRTUAL,
    PRIMARY KEY (`id`) NOT ENFORCED,
    WATERMARK FOR `at` AS `at` - INTERVAL '5' SECOND(2, 0)
)
COMMENT 'orders of the shop'
PARTITIONED BY (`amount`)
WITH (
    'connector' = 'filesystem',
    'csv.field-delimiter' = ';',
    'format' = 'csv',
    'path' = '/data/orders'
)"""


@pytest.fixture
def te() -> TableEnvironment:
    """An environment with a table that has all parts of Flink's form."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    made = TableEnvironment.create(settings.with_built_in_database_name("sales").build())
    made.execute_sql(ORDERS.replace("SECOND(2, 0)", "SECOND"))
    return made


def shown(te: TableEnvironment, name: str) -> str:
    """Return the answer of SHOW CREATE TABLE."""
    ((statement,),) = te.execute_sql(f"SHOW CREATE TABLE {name}").collect()
    return str(statement)


def test_everything_that_was_declared_is_shown(te: TableEnvironment) -> None:
    statement = shown(te, "orders")
    assert statement.replace("'5.000' SECOND(2, 3)", "'5' SECOND(2, 0)") == ORDERS
    command = te.sql_statement(statement, dialect=Dialect.FLINK).get_command()
    assert te.table_statement("orders").get_command() is command
    te.execute_sql("DROP TABLE orders")
    te.execute_sql(statement)
    assert shown(te, "orders") == statement


def test_a_descriptor_is_shown_as_its_statement(te: TableEnvironment) -> None:
    schema = Schema.new_builder().column("a", "INT NOT NULL").column_by_expression("b", "a + 1").primary_key("a")
    descriptor = TableDescriptor.for_connector("filesystem").schema(schema.build()).option("path", "/data/x")
    made = descriptor.format("json").comment("few").build()
    te.create_table("x", made)
    assert te.table_statement("x").get_command() is te.table_statement("x", made).get_command()


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("CREATE TABLE t (a INT NOT NULL COMMENT 'x', b STRING)", ("`a` INT NOT NULL COMMENT 'x'", "`b` STRING")),
        (
            "CREATE TABLE t (a INT, b STRING) USING csv OPTIONS (sep ';') PARTITIONED BY (b) COMMENT 'c' LOCATION '/t'",
            ("USING `csv`", "'sep' = ';'", "PARTITIONED BY (`b`)", "LOCATION '/t'", "COMMENT 'c'"),
        ),
    ],
    ids=["declared", "files"],
)
@pytest.mark.parametrize("kind", ["memory", "directory"])
def test_a_table_in_sparks_form(statement: str, expected: tuple[str, ...], kind: str, tmp_path: Path) -> None:
    te = environment()
    if kind == "directory":
        te.register_catalog("directory", DirectoryCatalog("directory", tmp_path, "default"))
        te.use_catalog("directory")
    te.execute_sql(statement)
    found = shown(te, "t")
    for part in expected:
        assert part in found
    te.execute_sql("DROP TABLE t")
    te.execute_sql(found)
    assert shown(te, "t") == found
    te.execute_sql("CREATE TABLE u LIKE t" if "LOCATION" not in statement else "CREATE TABLE u LIKE t LOCATION '/u'")
    assert shown(te, "u") == found.replace("`t`", "`u`").replace("'/t'", "'/u'")


def test_a_view_is_shown_by_its_own_statement(te: TableEnvironment) -> None:
    te.execute_sql("CREATE VIEW ids AS SELECT id FROM orders")
    assert shown(te, "ids") == te.show_create_view("ids")
    with pytest.raises(CatalogException, match=r"memory\.sales\.ids is a view and no table"):
        te.table_statement("ids")


def test_what_no_statement_creates_is_named(te: TableEnvironment) -> None:
    te.create_temporary_view("few", te.from_elements([(1,)], ["a"]))
    with pytest.raises(ValidationException, match="few is temporary: it ends with this environment"):
        te.execute_sql("SHOW CREATE TABLE few")
    with pytest.raises(ValidationException, match="few is temporary"):
        te.execute_sql("CREATE TABLE copy LIKE few LOCATION '/x'")
    with pytest.raises(ValidationException, match="table_statement takes a name, but was given 5"):
        te.table_statement(5)  # type: ignore[arg-type]
    with pytest.raises(ValidationException, match="A TableDescriptor is expected, but was given 'csv'"):
        te.table_statement("x", "csv")  # type: ignore[arg-type]
    with pytest.raises(TableNotExistException, match="`order` was not found"):
        te.execute_sql("SHOW CREATE TABLE `order`")
    with pytest.raises(ValidationException, match="ignore_if_exists and or_replace need a descriptor or a query"):
        te.table_statement("orders", ignore_if_exists=True)


def test_a_password_is_not_shown(te: TableEnvironment) -> None:
    te.execute_sql(
        "CREATE TABLE people (id INT) WITH ('connector' = 'jdbc', 'url' = 'jdbc:postgresql://db/shop', "
        "'table-name' = 'people', 'username' = 'me', 'password' = 'open sesame')"
    )
    assert "'password' = " in shown(te, "people")
    assert "sesame" not in shown(te, "people")
    assert "sesame" not in te.table_statement("people").explain()
    # A copy has the password itself.
    te.execute_sql("CREATE TABLE copy WITH ('table-name' = 'others') LIKE people")
    assert te.get_catalog("memory").get_table("sales", "copy").descriptor.options["password"] == "open sesame"


def test_describe_extended_shows_what_was_declared(te: TableEnvironment) -> None:
    rows = {row[0]: row[1] for row in te.execute_sql("DESCRIBE EXTENDED orders").collect()}
    assert rows["Primary Key"] == "(id) NOT ENFORCED"
    assert rows["Watermark"].startswith("at AS `at` - INTERVAL")
    assert (rows["Provider"], rows["Location"]) == ("csv", "/data/orders")
    assert (rows["Storage Properties"], rows["Partition Columns"]) == ("[sep=;]", "[amount]")


# --- LIKE ------------------------------------------------------------------------------------------------------------


LIKES = {
    "WITH ('path' = '/x') LIKE orders": {"tax", "file", "PRIMARY KEY", "WATERMARK", "PARTITIONED", "csv", "/x"},
    "(more INT) WITH ('path' = '/x') LIKE orders (EXCLUDING GENERATED EXCLUDING CONSTRAINTS)": {
        *("more", "file", "WATERMARK", "PARTITIONED", "csv", "/x"),
    },
    "(tax AS amount * 0.3) WITH ('path' = '/x') LIKE orders (OVERWRITING GENERATED EXCLUDING METADATA)": {
        *("tax", "0.3", "PRIMARY KEY", "WATERMARK", "PARTITIONED", "csv", "/x"),
    },
    "WITH ('connector' = 'filesystem', 'format' = 'json', 'path' = '/x') LIKE orders (EXCLUDING ALL)": {"json", "/x"},
    "WITH ('connector' = 'filesystem', 'format' = 'json', 'path' = '/x') LIKE orders "
    "(EXCLUDING ALL INCLUDING GENERATED)": {"tax", "json", "/x"},
    "LIKE orders (INCLUDING OPTIONS EXCLUDING WATERMARKS EXCLUDING PARTITIONS)": {
        *("tax", "file", "PRIMARY KEY", "csv", "/data/orders"),
    },
    "LIKE orders USING parquet LOCATION '/x'": {
        *("tax", "file", "PRIMARY KEY", "WATERMARK", "PARTITIONED", "parquet", "/x"),
    },
}
WORDS = ("more", "tax", "0.3", "file", "PRIMARY KEY", "WATERMARK", "PARTITIONED", "csv", "json", "parquet")


@pytest.mark.parametrize("rest", LIKES)
def test_a_table_like_another_has_the_chosen_parts(te: TableEnvironment, rest: str) -> None:
    te.execute_sql(f"CREATE TABLE copy {rest}")
    statement = shown(te, "copy").replace("filesystem", "").replace("file_path", "")
    assert {word for word in (*WORDS, "/x", "/data/orders") if word in statement} == LIKES[rest]
    assert "`id` BIGINT NOT NULL COMMENT 'the id'" in statement
    assert te.from_path("copy").get_schema().get_field_names()[:2] == ["id", "amount"]


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("LIKE orders", r"would have the files of memory\.sales\.orders, in /data/orders.*INCLUDING OPTIONS"),
        ("(id INT) WITH ('path' = '/x') LIKE orders", "has a column 'id', too.*stored are always included"),
        ("(tax AS 1) WITH ('path' = '/x') LIKE orders", "'tax', too. Say LIKE … .EXCLUDING GENERATED or OVERWRITING"),
        ("WITH ('path' = '/x') LIKE orders (INCLUDING OPTIONS)", "have the option 'path'. Say LIKE … .OVERWRITING"),
        ("WITH ('path' = '/x') LIKE orders (INCLUDING OPTION)", "no feature OPTION.*Did you mean 'OPTIONS'"),
        ("WITH ('path' = '/x') LIKE orders (OVERWRITING CONSTRAINTS)", "cannot be OVERWRITING CONSTRAINTS: only"),
        ("WITH ('path' = '/x') LIKE orders (INCLUDING ALL EXCLUDING ALL)", "says .* ALL and .* ALL. Leave one out"),
        ("(a INT, PRIMARY KEY (a) NOT ENFORCED) WITH ('path' = '/x') LIKE orders", "have a primary key.*EXCLUDING"),
        ("WITH ('path' = '/x') LIKE order_", "`order_` was not found"),
        (
            "LIKE orders (EXCLUDING OPTIONS)",
            r"of Flink's form, which says WITH \('connector' = 'filesystem', …\)\.$",
        ),
    ],
)
def test_a_contradiction_is_named_and_nothing_is_created(te: TableEnvironment, rest: str, message: str) -> None:
    with pytest.raises(TableException, match=message):
        te.execute_sql(f"CREATE TABLE copy {rest}")
    assert te.list_tables() == ["orders"]


def test_a_temporary_table_like_another_is_in_no_catalog(te: TableEnvironment) -> None:
    te.execute_sql("CREATE TEMPORARY TABLE mine WITH ('path' = '/x') LIKE orders")
    assert te.list_temporary_tables() == ["mine"]
    assert te.from_path("mine").get_schema().get_field_names() == ["id", "amount", "tax", "at", "file"]
    te.sql_statement(
        "CREATE TEMPORARY TABLE too (a INT) WITH ('connector' = 'filesystem', 'path' = '/x', 'format' = 'csv')",
        dialect=Dialect.FLINK,
    ).execute()
    assert te.list_temporary_tables() == ["mine", "too"]
    with pytest.raises(ValidationException, match="mine is temporary"):
        te.execute_sql("SHOW CREATE TABLE mine")


# --- ALTER -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def keyed(te: TableEnvironment) -> TableEnvironment:
    """An environment with a table of a key and a watermark, whose columns can change."""
    te.execute_sql(
        "CREATE TABLE keyed (id BIGINT, at TIMESTAMP(3), a INT, PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR at AS at) "
        "WITH ('connector' = 'filesystem', 'path' = '/data/keyed', 'format' = 'parquet')"
    )
    return te


def test_a_changed_table_is_shown_as_it_is(keyed: TableEnvironment) -> None:
    for change in (
        "ADD COLUMN b STRING COMMENT 'new'",
        "DROP COLUMN a",
        "ALTER COLUMN id COMMENT 'the key'",
        "SET LOCATION '/data/elsewhere'",
        "SET TBLPROPERTIES ('parquet.compression' = 'zstd')",
    ):
        keyed.execute_sql(f"ALTER TABLE keyed {change}")
    keyed.execute_sql("COMMENT ON TABLE keyed IS 'changed'")
    statement = shown(keyed, "keyed")
    for part in ("`b` STRING COMMENT 'new'", "COMMENT 'the key'", "PRIMARY KEY (`id`)", "WATERMARK FOR `at`"):
        assert part in statement
    for part in ("'path' = '/data/elsewhere'", "COMMENT 'changed'", "'parquet.compression' = 'zstd'"):
        assert part in statement
    assert "`a`" not in statement


def test_columns_of_the_key_and_the_watermark_stay(keyed: TableEnvironment) -> None:
    before = shown(keyed, "keyed")
    for column, what in (("id", "primary key"), ("at", "watermark")):
        with pytest.raises(TableException, match=f"The {what} of memory.sales.keyed is of the column '{column}'"):
            keyed.execute_sql(f"ALTER TABLE keyed DROP COLUMN {column}")
    assert shown(keyed, "keyed") == before


# --- Spark -----------------------------------------------------------------------------------------------------------


def test_the_statement_of_a_table_of_spark(spark: SparkSession) -> None:
    te = TableEnvironment.create(spark=spark.newSession())
    te.execute_sql("CREATE TABLE given_back (a INT COMMENT 'x', b STRING) USING parquet PARTITIONED BY (b) COMMENT 'c'")
    try:
        statement = te.table_statement("given_back")
        text = statement.as_serializable_string()
        assert "PARTITIONED BY (`b`)" in text
        assert "`a` INT COMMENT 'x'" in text
        assert te.sql_statement(text).get_command() is statement.get_command()
    finally:
        te.execute_sql("DROP TABLE given_back")
