"""Tables behind JDBC, on Derby and PostgreSQL: pushdown, types, and writing in one transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import attrs
import pytest
from pyspark.sql import SparkSession

from tableapi import EnvironmentSettings, Schema, TableDescriptor, TableEnvironment
from tableapi.exceptions import TableException, ValidationException
from tableapi.expressions import col
from tests.formats import databases

_COLUMNS = "id INT, amount DECIMAL(10, 2), city STRING, seen TIMESTAMP"
_ROWS = [
    (1, Decimal("2.50"), "Oslo", dt.datetime(2024, 1, 1, 10)),
    (2, Decimal("3.50"), "Rome", None),
]


@attrs.frozen
class Database:
    """A database with the table ``sales.orders``."""

    te: TableEnvironment
    options: dict[str, str]
    run: Callable[..., Any]

    def declare(self, name: str, columns: str = _COLUMNS, **options: str) -> None:
        """Declare a table of the database."""
        given = {**self.options, "table-name": "sales.orders", **options}
        text = ", ".join(f"'{key}' = '{value}'" for key, value in given.items())
        self.te.execute_sql(f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'jdbc', {text})")

    def rows(self, name: str = "orders") -> list[Any]:
        """Return the rows of a table in the order of their first column."""
        with self.te.from_path(name).execute().collect() as found:
            return sorted(map(tuple, found))


def _environment(spark: SparkSession) -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    return TableEnvironment.create(settings, spark=spark)


@pytest.fixture
def derby(spark: SparkSession) -> Iterator[Database]:
    databases.run_in_derby(
        spark,
        "CREATE SCHEMA sales",
        "CREATE TABLE sales.orders (id INT PRIMARY KEY, amount DECIMAL(10, 2), city VARCHAR(10), seen TIMESTAMP)",
        "INSERT INTO sales.orders VALUES (1, 2.5, 'Oslo', '2024-01-01 10:00:00'), (2, 3.5, 'Rome', NULL)",
    )
    options = {"url": databases.DERBY, "driver": databases.DERBY_DRIVER, "username": "ann", "password": "s3cret"}
    yield Database(_environment(spark), options, lambda *texts: databases.run_in_derby(spark, *texts))
    databases.run_in_derby(spark, "DROP TABLE sales.orders", "DROP SCHEMA sales RESTRICT")


@pytest.fixture
def postgres(spark: SparkSession, postgres_server: tuple[str, Path, int]) -> Iterator[Database]:
    url, programs, port = postgres_server

    def run(*texts: str) -> str:
        return "\n".join(databases.run_in_postgres(programs, port, text) for text in texts)

    run(
        "CREATE SCHEMA sales",
        "CREATE TABLE sales.orders (id int PRIMARY KEY, amount numeric(10, 2), city varchar(10), seen timestamp)",
        "INSERT INTO sales.orders VALUES (1, 2.5, 'Oslo', '2024-01-01 10:00:00'), (2, 3.5, 'Rome', NULL)",
    )
    options = {"url": url, "driver": databases.POSTGRES_DRIVER, "username": "ann", "password": "s3cret"}
    yield Database(_environment(spark), options, run)
    run("DROP SCHEMA sales CASCADE")


@pytest.fixture(params=["derby", "postgres"])
def database(request: pytest.FixtureRequest, spark: SparkSession) -> Database:
    found: Database = request.getfixturevalue(request.param)
    found.declare("orders")
    return found


def test_rows_and_types(database: Database) -> None:
    assert database.rows() == _ROWS
    descriptor = TableDescriptor.for_connector("jdbc").option("table-name", "sales.orders")
    for key, value in database.options.items():
        descriptor.option(key, value)
    found = database.te.from_descriptor(descriptor.build()).get_resolved_schema()
    assert [data_type.as_summary_string() for data_type in found.types] == [
        "INT",
        "DECIMAL(10, 2)",
        "STRING",
        "TIMESTAMP",
    ]


def test_filters_and_columns_are_pushed_down(database: Database) -> None:
    text = database.te.sql_query("SELECT city FROM orders WHERE id > 1 AND amount < 10").explain()
    pushed = next(line.lower() for line in text.splitlines() if "PushedFilters" in line)
    assert "*greaterthan(id,1)" in pushed
    assert "*lessthan(amount,10.00)" in pushed
    assert "readschema: struct<city:string>" in text.lower()
    assert "s3cret" not in text


def test_a_filter_on_a_cast_column_is_pushed_down(database: Database) -> None:
    database.declare("wide", "id BIGINT, city STRING")
    text = database.te.sql_query("SELECT city FROM wide WHERE id > 1").explain()
    assert "*greaterthan(id,1)" in text.lower()
    assert database.rows("wide") == [(1, "Oslo"), (2, "Rome")]


def test_append(database: Database) -> None:
    database.te.execute_sql("INSERT INTO orders VALUES (3, 1.25, 'Bern', NULL)")
    assert database.rows() == [*_ROWS, (3, Decimal("1.25"), "Bern", None)]


def test_a_rejected_row_leaves_the_old_rows(database: Database) -> None:
    for insert in ("INTO orders", "OVERWRITE orders"):
        with pytest.raises(TableException, match=r"(?i)sales\.orders of the database failed") as caught:
            database.te.execute_sql(f"INSERT {insert} VALUES (8, 1, 'short', NULL), (9, 1, 'a very long name', NULL)")
        assert "py4j" not in str(caught.value)
        assert database.rows() == _ROWS


def test_a_violated_constraint_is_named_with_the_row(postgres: Database) -> None:
    postgres.run("ALTER TABLE sales.orders ADD CONSTRAINT positive CHECK (amount > 0), ALTER COLUMN city SET NOT NULL")
    postgres.declare("orders")
    for values, message in (
        ("(8, 1, 'Bern', NULL), (1, 1, 'Bern', NULL)", r"unique constraint .orders_pkey.\s+Detail: Key \(id\)=\(1\)"),
        (
            "(8, 1, 'Bern', NULL), (9, -1, 'Bern', NULL)",
            r"check constraint .positive.\s+Detail: Failing row .*9, -1.00",
        ),
        ("(8, 1, 'Bern', NULL), (9, 1, NULL, NULL)", r"column .city.*not-null.*\s+Detail: Failing row .*9, 1.00, null"),
    ):
        with pytest.raises(TableException, match=rf"{message}.*\. Nothing was written\."):
            postgres.te.execute_sql(f"INSERT INTO orders VALUES {values}")
        assert postgres.rows() == _ROWS


def test_overwrite(database: Database) -> None:
    database.te.execute_sql("INSERT OVERWRITE orders VALUES (7, 1, 'Kiev', NULL)")
    assert database.rows() == [(7, Decimal("1.00"), "Kiev", None)]


def test_rows_replace_those_of_their_key(database: Database) -> None:
    database.declare("keyed", f"{_COLUMNS}, PRIMARY KEY (id) NOT ENFORCED")
    for _ in range(2):
        database.te.execute_sql("INSERT INTO keyed VALUES (2, 9.5, 'Paris', NULL), (3, 1, 'Bern', NULL)")
        assert database.rows() == [_ROWS[0], (2, Decimal("9.50"), "Paris", None), (3, Decimal("1.00"), "Bern", None)]


def test_two_rows_of_one_key(database: Database) -> None:
    database.declare("keyed", f"{_COLUMNS}, PRIMARY KEY (id) NOT ENFORCED")
    with pytest.raises(ValidationException, match=r"(?i)2 rows for .* have the key id = 5;"):
        database.te.execute_sql("INSERT INTO keyed VALUES (5, 9.5, 'Paris', NULL), (5, 1, 'Bern', NULL)")
    assert database.rows() == _ROWS


def test_a_table_is_overwritten_from_another_table_and_not_from_itself(postgres: Database) -> None:
    postgres.run("CREATE TABLE sales.others AS SELECT * FROM sales.orders")
    postgres.declare("orders")
    postgres.declare("others", **{"table-name": "sales.others"})
    postgres.te.execute_sql("INSERT OVERWRITE orders SELECT id + 10, amount, city, seen FROM others WHERE id = 2")
    assert postgres.rows() == [(12, Decimal("3.50"), "Rome", None)]
    with pytest.raises(ValidationException, match="which it would overwrite"):
        postgres.te.execute_sql("INSERT OVERWRITE orders SELECT * FROM orders")


def test_no_staging_table_stays(postgres: Database) -> None:
    postgres.declare("orders")
    postgres.te.execute_sql("INSERT INTO orders VALUES (3, 1.25, 'Bern', NULL)")
    with pytest.raises(TableException):
        postgres.te.execute_sql("INSERT INTO orders VALUES (3, 1.25, 'Bern', NULL)")
    assert postgres.run("SELECT count(*) FROM pg_tables WHERE schemaname = 'sales'") == "1"


def test_a_table_in_partitions(postgres: Database) -> None:
    bounds = {"column": "id", "num": "2", "lower-bound": "1", "upper-bound": "3"}
    postgres.declare("orders", **{f"scan.partition.{key}": value for key, value in bounds.items()})
    assert "numPartitions=2" in postgres.te.from_path("orders").explain()
    assert postgres.rows() == _ROWS


def test_computed_columns(database: Database) -> None:
    database.declare("computed", "id INT, twice AS id * 2")
    assert database.rows("computed") == [(1, 2), (2, 4)]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("idd INT", "has no column 'idd'.*mean '(?i:id)'"),
        ("city INT", "declared as `city` INT and is no wider type"),
        ("id INT, amount INT", r"declared as `amount` INT .*Declare DECIMAL\(10, 2\)"),
    ],
)
def test_declarations_that_the_database_contradicts(database: Database, columns: str, message: str) -> None:
    database.declare("wrong", columns)
    with pytest.raises(ValidationException, match=message):
        database.rows("wrong")


def test_a_table_that_does_not_exist(database: Database) -> None:
    database.declare("missing", "id INT", **{"table-name": "sales.nowhere"})
    with pytest.raises(TableException, match=r"(?i)Reading the table sales\.nowhere of the database failed") as caught:
        database.rows("missing")
    assert "s3cret" not in str(caught.value)


def test_errors_hide_the_password(postgres: Database) -> None:
    postgres.declare("wrong", password="an0ther", url=postgres.options["url"] + "?password=an0ther")
    with pytest.raises(TableException, match="Couldn't connect to the database") as caught:
        postgres.rows("wrong")
    assert "an0ther" not in str(caught.value)


def test_a_database_without_a_driver(derby: Database) -> None:
    derby.declare("other", "id INT", url="jdbc:nosuch://host/db", driver="com.example.Driver")
    with pytest.raises(TableException, match="The session has no driver for the database"):
        derby.rows("other")


def test_the_password_is_in_an_environment_variable(postgres: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {key: value for key, value in postgres.options.items() if key != "password"}
    other = attrs.evolve(postgres, options={**options, "password-variable": "FORMATS_PASSWORD"})
    other.declare("orders")
    with pytest.raises(ValidationException, match="FORMATS_PASSWORD, which is not set"):
        other.rows()
    monkeypatch.setenv("FORMATS_PASSWORD", "s3cret")
    assert other.rows() == _ROWS


def test_a_query_is_read_and_not_written(derby: Database) -> None:
    schema = Schema.new_builder().column("n", "INT").build()
    builder = TableDescriptor.for_connector("jdbc").option("query", "SELECT count(*) AS n FROM sales.orders")
    for key, value in derby.options.items():
        builder.option(key, value)
    derby.te.create_temporary_table("counted", builder.schema(schema).build())
    assert derby.rows("counted") == [(2,)]
    with pytest.raises(ValidationException, match="it is a query"):
        derby.te.execute_sql("INSERT INTO counted VALUES (1)")


def test_a_catalog_of_the_session(spark: SparkSession, derby: Database) -> None:
    """Tables of a JDBC catalog are Spark's own; their filters and aggregates are pushed down."""
    spark.conf.set("spark.sql.catalog.jf", "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog")
    spark.conf.set("spark.sql.catalog.jf.url", databases.DERBY)
    spark.conf.set("spark.sql.catalog.jf.driver", databases.DERBY_DRIVER)
    spark.conf.set("spark.sql.catalog.jf.pushDownAggregate", "true")
    te = TableEnvironment.create(spark=spark)
    orders = te.from_path("jf.SALES.ORDERS")
    text = orders.filter(col("ID") > 1).select(col("ID").max.alias("last")).explain()
    assert "PushedFilters: [ID IS NOT NULL, ID > 1]" in text
    assert "PushedAggregates: [MAX(ID)]" in text
