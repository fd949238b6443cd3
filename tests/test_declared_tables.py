"""Declared tables: their columns are known before a session starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tableapi import (
    DataTypes,
    DirectoryCatalog,
    EnvironmentSettings,
    Schema,
    SqlParserException,
    TableAlreadyExistException,
    TableEnvironment,
    TableException,
    ValidationException,
)
from tableapi.exceptions import CatalogException
from tableapi.expressions import col

ORDERS = {"id": "BIGINT NOT NULL", "amount": "DECIMAL(10, 2)"}
SHOWN = "(`id` BIGINT NOT NULL, `amount` DECIMAL(10, 2))"


@pytest.fixture
def te() -> TableEnvironment:
    return TableEnvironment.create()


def in_memory() -> TableEnvironment:
    return TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("mem").build())


def test_a_declared_table_is_built_typed_and_printed_without_spark(te: TableEnvironment) -> None:
    orders = te.declare("sales.orders", ORDERS)
    assert repr(orders.get_resolved_schema()) == SHOWN
    total = orders.filter(col("amount") > 5).select(col("amount").sum.alias("total"))
    assert total.as_serializable_string(layout="MERGED") == (
        "SELECT SUM(`amount`) AS `total`\nFROM `spark_catalog`.`sales`.`orders`\nWHERE `amount` > 5"
    )
    read = te.sql_query("SELECT SUM(amount) AS total FROM sales.orders WHERE amount > 5")
    assert read.query_operation == total.query_operation
    assert repr(te.from_path("SALES.Orders").get_resolved_schema()) == SHOWN
    assert "Operation tree" in total.explain()
    assert te._parts.runtime.started is None


def test_a_name_alone_is_in_the_database_of_a_new_session(te: TableEnvironment) -> None:
    te.declare("orders", ORDERS)
    assert te.from_path("spark_catalog.default.orders").get_resolved_schema().names == ("id", "amount")
    assert te.get_current_database() == "default"
    assert te._parts.runtime.started is None


def test_the_database_of_declared_tables_may_be_the_current_one(te: TableEnvironment) -> None:
    te.declare("sales.orders", ORDERS)
    te.use_database("sales")
    assert te.sql_query("SELECT id FROM orders").get_resolved_schema().names == ("id",)
    te.declare("customers", "name STRING")
    assert te.from_path("sales.customers").get_resolved_schema().names == ("name",)
    assert te._parts.runtime.started is None


def test_a_catalog_of_the_session_need_not_be_known(te: TableEnvironment) -> None:
    events = te.declare("lake.raw.events", "at TIMESTAMP_LTZ, kind STRING")
    assert events.as_serializable_string() == "SELECT `at`, `kind`\nFROM `lake`.`raw`.`events`"
    assert te._parts.runtime.started is None
    with pytest.raises(CatalogException, match="no catalog named 'lake'"):
        in_memory().declare("lake.raw.events", "kind STRING")


@pytest.mark.parametrize(
    "columns",
    [
        ORDERS,
        {"id": DataTypes.BIGINT().not_null(), "amount": DataTypes.DECIMAL(10, 2)},
        list(ORDERS.items()),
        "id BIGINT NOT NULL, amount DECIMAL(10, 2)",
        Schema.new_builder().column("id", "BIGINT NOT NULL").column("amount", "DECIMAL(10, 2)").build(),
        DataTypes.ROW(
            [
                DataTypes.FIELD("id", DataTypes.BIGINT().not_null()),
                DataTypes.FIELD("amount", DataTypes.DECIMAL(10, 2)),
            ]
        ),
        pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("amount", pa.decimal128(10, 2))]),
    ],
    ids=["mapping", "types", "pairs", "text", "schema", "row", "arrow"],
)
def test_columns_may_be_given_in_any_form(te: TableEnvironment, columns: Any) -> None:
    assert repr(te.declare("orders", columns).get_resolved_schema()) == SHOWN


def test_columns_may_be_given_as_a_schema_of_pyspark(te: TableEnvironment) -> None:
    from pyspark.sql.types import DecimalType, LongType, StructField, StructType

    fields = [
        StructField("id", LongType(), False, {"comment": "the number"}),
        StructField("amount", DecimalType(10, 2)),
    ]
    orders = te.declare("orders", StructType(fields))
    assert repr(orders.get_resolved_schema()) == SHOWN
    declared = te._parts.runtime.manager.declared.find(te._parts.runtime.manager.qualify("orders"))
    assert declared is not None
    assert declared.schema.column("id").comment == "the number"
    assert te._parts.runtime.started is None


@pytest.mark.usefixtures("spark")
def test_a_table_of_a_catalog_in_memory_is_declared_there_with_its_database() -> None:
    te = in_memory()
    te.declare("sales.orders", ORDERS, comment="all", column_comments={"ID": "the number"}, primary_key="id")
    found = te.get_catalog("mem").get_table("sales", "orders")
    assert (found.comment, found.schema.column("id").comment) == ("all", "the number")
    with pytest.raises(TableException, match=r"mem\.sales\.orders is declared without data, and cannot be read"):
        te.from_path("sales.orders").execute()


def test_a_table_of_a_directory_is_declared_for_good(tmp_path: Path) -> None:
    for _ in range(2):
        te = in_memory()
        te.register_catalog("folder", DirectoryCatalog("folder", tmp_path))
        te.use_catalog("folder")
        te.declare("orders", ORDERS, partitioned_by=["amount"], ignore_if_exists=True)
        assert repr(te.from_path("orders").get_resolved_schema()) == SHOWN
        assert te.get_catalog("folder").get_table("default", "orders").partition_keys == ("amount",)


@pytest.mark.parametrize("make", [TableEnvironment.create, in_memory])
def test_a_declaration_is_not_replaced_unasked(make: Any) -> None:
    te = make()
    te.declare("orders", ORDERS)
    with pytest.raises(TableAlreadyExistException, match=r"orders"):
        te.declare("orders", "id STRING")
    assert repr(te.declare("orders", "id STRING", ignore_if_exists=True).get_resolved_schema()) == SHOWN
    assert repr(te.declare("orders", "id STRING", or_replace=True).get_resolved_schema()) == "(`id` STRING)"


@pytest.mark.parametrize(
    ("columns", "options", "message", "kind"),
    [
        ({"id": "BIGNT"}, {}, r"(?s)type of the column 'id'.*Did you mean 'BIGINT'", SqlParserException),
        ({"id": "DECIMAL(10 2)"}, {}, r"(?s)type of the column 'id'.*comma.*line 1, column 12", SqlParserException),
        ("id BIGNT", {}, "Did you mean 'BIGINT'", SqlParserException),
        ("id", {}, "expected", SqlParserException),
        ({"id": int}, {}, "type of the column 'id' must be a type", ValidationException),
        ({3: "INT"}, {}, "A name of a column is expected, but was given 3", ValidationException),
        (["id"], {}, "Columns are names with types.*but 'id' was given", ValidationException),
        (3, {}, "but 3 was given", ValidationException),
        ({}, {}, "declared without columns", ValidationException),
        ({"id": "INT", "ID": "INT"}, {}, "Ambiguous column name: ID", ValidationException),
        (ORDERS, {"primary_key": "nr"}, "primary key names the column 'nr'", ValidationException),
        (ORDERS, {"partitioned_by": "nr"}, r"Cannot resolve field \[nr\]", ValidationException),
        (ORDERS, {"column_comments": {"amuont": "x"}}, "Did you mean 'amount'", ValidationException),
        (
            Schema.new_builder().column("id", "INT").column_by_expression("x", col("id") + 1).build(),
            {},
            "its column 'x' is not a stored one",
            ValidationException,
        ),
    ],
)
def test_a_wrong_declaration_names_the_column(
    te: TableEnvironment, columns: Any, options: Any, message: str, kind: type[TableException]
) -> None:
    with pytest.raises(kind, match=message):
        te.declare("orders", columns, **options)
    assert te._parts.runtime.started is None


def test_the_type_of_a_column_of_a_schema_is_named_too() -> None:
    with pytest.raises(SqlParserException, match=r"(?s)type of the column 'id'.*Did you mean 'BIGINT'"):
        Schema.new_builder().column("id", "BIGNT")


def test_a_view_of_a_directory_reads_a_declared_table(te: TableEnvironment, tmp_path: Path) -> None:
    te.declare("sales.orders", ORDERS)
    te.register_catalog("folder", DirectoryCatalog("folder", tmp_path))
    te.create_view("folder.default.ids", te.sql_query("SELECT id FROM sales.orders"))
    assert te.from_path("folder.default.ids").get_resolved_schema().names == ("id",)
    te.declare("sales.orders", "id STRING", or_replace=True)
    assert te._parts.runtime.started is None


WITHOUT_JAVA = """
import os
os.environ["PATH"] = os.environ["JAVA_HOME"] = "/nowhere"
from tableapi import TableEnvironment, TableException
te = TableEnvironment.create()
te.declare("sales.orders", {"id": "BIGINT"})
import tableapi.spark.session
def no_java(*given):
    raise TableException("There is no Java.")
tableapi.spark.session.embedded_session = no_java
try:
    te.from_path("sales.ordrs")
except TableException as error:
    print(error)
"""


def test_misspelt_declared_tables_are_reported_without_spark() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_JAVA], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == (
        "The table spark_catalog.sales.ordrs is not among those that are declared, [orders]. Did you mean 'orders'? "
        "Spark was to be asked for it: There is no Java."
    )
