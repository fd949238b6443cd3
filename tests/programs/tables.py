"""The tables that the test programs read, with the same content in an in-memory catalog and in Spark's."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal as D
from typing import TYPE_CHECKING, Any

import attrs

from ir.operations.source import Values
from ir.schema import Column, ResolvedSchema
from tableapi import CatalogTable, DataTypes, EnvironmentSettings, InMemoryCatalog, Table, TableEnvironment
from tableapi.data.elements import table_of_elements
from tableapi.declarations.file_tables import read_type

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

T = DataTypes
F = DataTypes.FIELD
DATABASE = "programs"

_day, _at = dt.date, dt.datetime
_utc = dt.UTC

SCHEMAS = {
    "customers": T.ROW(
        [
            F("id", T.INT()),
            F("name", T.STRING()),
            F("gender", T.STRING()),
            F("has_newsletter", T.BOOLEAN()),
            F("date_of_birth", T.DATE()),
            F("street", T.STRING()),
            F("zip_code", T.STRING()),
            F("city", T.STRING()),
        ]
    ),
    "orders": T.ROW(
        [
            F("order_id", T.BIGINT()),
            F("customer_id", T.INT()),
            F("ordered_at", T.TIMESTAMP()),
            F("amount", T.DECIMAL(10, 2)),
            F("discount", T.DOUBLE()),
            F("status", T.STRING()),
        ]
    ),
    "lines": T.ROW([F("line_order", T.BIGINT()), F("sku", T.STRING()), F("quantity", T.INT())]),
    "products": T.ROW(
        [
            F("product", T.STRING()),
            F("price", T.DECIMAL(8, 2)),
            F("tags", T.ARRAY(T.STRING())),
            F("attributes", T.MAP(T.STRING(), T.INT())),
            F("size", T.ROW([F("width", T.INT()), F("box", T.ROW([F("depth", T.DOUBLE())]))])),
        ]
    ),
    "readings": T.ROW(
        [
            F("n", T.INT()),
            F("tiny", T.TINYINT()),
            F("small", T.SMALLINT()),
            F("big", T.BIGINT()),
            F("ratio", T.FLOAT()),
            F("level", T.DOUBLE()),
            F("fine", T.DECIMAL(20, 8)),
            F("raw", T.BYTES()),
            F("day", T.DATE()),
            F("at", T.TIMESTAMP()),
            F("instant", T.TIMESTAMP_LTZ()),
        ]
    ),
    "events": T.ROW(
        [
            F("e", T.INT()),
            F("k", T.STRING()),
            F("v", T.INT()),
            F("ts", T.TIMESTAMP()),
            F("instant", T.TIMESTAMP_LTZ()),
            F("day", T.DATE()),
        ]
    ),
    "nothing": T.ROW([F("a", T.INT()), F("b", T.STRING())]),
    "left_bag": T.ROW([F("x", T.INT()), F("y", T.STRING())]),
    "right_bag": T.ROW([F("x", T.INT()), F("y", T.STRING())]),
}

ROWS: dict[str, list[tuple[Any, ...]]] = {
    "customers": [
        (1, "Ada", "f", True, _day(1985, 12, 10), "Lime St 1", "10115", "Berlin"),
        (2, "Bo", "m", True, _day(1979, 2, 28), "Oak Rd 2", "75001", "Paris"),
        (3, "Cy", None, False, _day(1990, 6, 30), None, "75002", "Paris"),
        (4, None, "f", True, None, "Elm Av 4", None, None),
        (5, "Di", "f", None, _day(2000, 2, 29), "Ash Ln 5", "10117", "Berlin"),
    ],
    "orders": [
        (100, 1, _at(2024, 1, 31, 10, 0, 0), D("20.00"), 0.1, "paid"),
        (101, 1, _at(2024, 2, 29, 23, 59, 59, 500000), D("5.50"), None, "open"),
        (102, 2, _at(2024, 3, 1, 0, 0, 0), D("99.99"), 0.0, "paid"),
        (103, 3, None, None, 0.25, "lost"),
        (104, None, _at(2023, 12, 31, 8, 30, 0), D("-1.25"), None, None),
        (105, 9, _at(2024, 1, 1, 0, 0, 0), D("0.00"), 0.5, "paid"),
    ],
    "lines": [
        (100, "pen", 3),
        (100, "ink", 1),
        (101, "pen", 2),
        (102, "pad", 10),
        (102, "pen", None),
        (999, "cap", 1),
    ],
    "products": [
        ("pen", D("2.50"), ["blue", "fine"], {"stock": 10, "min": 2}, (1, (0.5,))),
        ("ink", D("12.00"), [], {}, (2, (None,))),
        ("pad", None, [None, "a5"], {"stock": None}, (3, None)),
        ("cap", D("1.00"), None, None, None),
    ],
    "readings": [
        (
            1,
            1,
            10,
            100,
            1.5,
            2.25,
            D("1.00000001"),
            b"\x00\xff",
            _day(2024, 2, 29),
            _at(2024, 2, 29, 13, 45, 30, 250000),
            _at(2024, 2, 29, 12, 0, tzinfo=_utc),
        ),
        (
            2,
            -128,
            -32768,
            -(2**63),
            -0.5,
            -1e10,
            D("-0.5"),
            b"",
            _day(1969, 12, 31),
            _at(1969, 12, 31, 23, 59, 59, 1),
            _at(1970, 1, 1, tzinfo=_utc),
        ),
        (
            3,
            127,
            32767,
            2**63 - 1,
            3.0,
            0.0,
            D("123456789012.12345678"),
            b"abc",
            _day(2000, 1, 1),
            _at(2000, 1, 1),
            _at(2000, 1, 1, 0, 0, 1, tzinfo=_utc),
        ),
        (4, None, None, None, None, None, None, None, None, None, None),
    ],
    # The instants are two hours later than the timestamps.
    "events": [
        (1, "a", 1, _at(2024, 1, 1, 10, 0), _at(2024, 1, 1, 12, 0, tzinfo=_utc), _day(2024, 1, 1)),
        (2, "a", 2, _at(2024, 1, 1, 10, 4, 30), _at(2024, 1, 1, 12, 4, 30, tzinfo=_utc), _day(2024, 1, 1)),
        (3, "b", 3, _at(2024, 1, 1, 10, 5), _at(2024, 1, 1, 12, 5, tzinfo=_utc), _day(2024, 1, 1)),
        (4, "a", 4, _at(2024, 1, 1, 10, 12, 0, 123000), _at(2024, 1, 1, 12, 12, tzinfo=_utc), _day(2024, 1, 2)),
        (5, "b", 5, _at(2024, 1, 1, 10, 31), _at(2024, 1, 1, 12, 31, tzinfo=_utc), _day(2024, 1, 2)),
        (6, "a", 6, _at(2024, 1, 1, 11, 0), _at(2024, 1, 1, 13, 0, tzinfo=_utc), _day(2024, 1, 9)),
        (7, None, 7, _at(2024, 1, 1, 10, 2), _at(2024, 1, 1, 12, 2, tzinfo=_utc), _day(2024, 1, 1)),
        (8, "b", 8, None, None, None),
    ],
    "nothing": [],
    "left_bag": [(1, "a"), (1, "a"), (2, "b"), (3, None), (None, None)],
    "right_bag": [(1, "a"), (2, "c"), (3, None), (3, None), (None, None)],
}


def values(name: str) -> Values:
    """Return the rows of a table as an operation."""
    return table_of_elements(ROWS[name], SCHEMAS[name])


@attrs.frozen
class Tables:
    """The tables of an environment as attributes, and the environment itself.

    Each table is looked up once, since the tables never change. Otherwise Spark would be asked about a table again
    after each query, which takes about as long as the query.
    """

    env: TableEnvironment
    _found: dict[str, Table] = attrs.field(factory=dict, init=False, eq=False, repr=False)

    def __getattr__(self, name: str) -> Table:
        if name not in SCHEMAS:
            raise AttributeError(name)
        if name not in self._found:
            self._found[name] = self.env.from_path(f"{DATABASE}.{name}")
        return self._found[name]


@attrs.frozen
class Frames:
    """The tables of a session as DataFrames."""

    session: SparkSession

    def __getattr__(self, name: str) -> DataFrame:
        if name not in SCHEMAS:
            raise AttributeError(name)
        return self.session.table(f"{DATABASE}.{name}")


def environment_without_spark() -> TableEnvironment:
    """Return an environment that declares the tables under their names in Spark's catalog."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    env = TableEnvironment.create(settings.with_built_in_database_name(DATABASE).build())
    catalog = env.get_catalog("spark_catalog")
    assert isinstance(catalog, InMemoryCatalog)
    for name, row in SCHEMAS.items():
        # Declare the types that Spark reads back after storing the tables.
        columns = [Column(field.name, read_type(field.data_type)) for field in row.fields]
        catalog.create_table(DATABASE, name, CatalogTable(ResolvedSchema(tuple(columns))))
    return env


@contextmanager
def programs_in_spark(spark: SparkSession) -> Iterator[Tables]:
    """Create the tables in Spark's catalog for the duration of a block; their names need no database."""
    env = TableEnvironment.create(spark=spark)
    create_in_spark(env)
    env.use_database(DATABASE)
    yield Tables(env)
    spark.sql(f"DROP DATABASE {DATABASE} CASCADE")


@contextmanager
def read_from_memory(spark: SparkSession) -> Iterator[None]:
    """Have Spark keep the tables in memory for the time of a block, since to read a file takes most of a small query.

    For queries that are judged by their rows, not by their plans.
    """
    for name in SCHEMAS:
        spark.catalog.cacheTable(f"{DATABASE}.{name}")
    yield
    for name in SCHEMAS:
        spark.catalog.uncacheTable(f"{DATABASE}.{name}")


def create_in_spark(env: TableEnvironment) -> None:
    """Create the tables in Spark's catalog, once per metastore."""
    spark = env.spark
    spark.sql(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
    for name in SCHEMAS:
        frame = env.from_operation(values(name)).to_spark()
        frame.coalesce(1).write.mode("overwrite").saveAsTable(f"{DATABASE}.{name}")
