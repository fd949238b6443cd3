"""The change feed of a table as a stream: STREAM t CHANGES FROM …, its text, its Python code and its refusals."""

from __future__ import annotations

import pytest

from ir.operations.operation import QueryOperation
from tableapi import InMemoryCatalog, TableEnvironment
from tableapi.exceptions import SqlParserException, TableException, ValidationException
from tableapi.expressions import col, lit


@pytest.fixture
def te() -> TableEnvironment:
    """An environment with the declared table ``shop.orders``, without Spark."""
    made = TableEnvironment.create()
    made.declare("shop.orders", {"id": "BIGINT", "placed": "TIMESTAMP_LTZ"})
    return made


TEXTS = [
    "STREAM shop.orders CHANGES FROM VERSION 1",
    "STREAM shop.orders CHANGES FROM VERSION 1 EXCLUSIVE",
    "STREAM shop.orders CHANGES FROM TIMESTAMP '2024-01-01 00:00:00' WITH (computeUpdates = 'true')",
    "STREAM shop.orders CHANGES FROM VERSION 7 WITH (deduplicationMode = 'none') IDENTIFIED BY orders "
    "WATERMARK placed DELAY OF INTERVAL 1 HOUR AS o",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_reads_back(te: TableEnvironment, text: str) -> None:
    operation = te.sql_query(f"SELECT id, _change_type FROM {text}").query_operation
    assert operation.is_unbounded
    nested = operation.as_serializable_string()
    assert "FROM STREAM `spark_catalog`.`shop`.`orders` CHANGES FROM " in nested
    assert te.sql_query(nested).query_operation is operation
    merged = operation.as_serializable_string(layout="MERGED")
    assert te.sql_query(merged).query_operation.normalize() is operation.normalize()
    assert QueryOperation.from_json(operation.to_json()) is operation


def test_methods_build_the_same_stream(te: TableEnvironment) -> None:
    built = te.from_path("shop.orders", stream=True, source_name="o").changes(7, inclusive="right")
    built = built.watermark(col("placed"), lit(1).hour).select(col("id"), col("_change_type"))
    read = te.sql_query(
        "SELECT id, _change_type FROM STREAM shop.orders CHANGES FROM VERSION 7 EXCLUSIVE IDENTIFIED BY o "
        "WATERMARK placed DELAY OF INTERVAL 1 HOUR"
    )
    assert built.query_operation is read.query_operation
    code = built.to_python()
    assert 'from_path("shop.orders", stream=True, source_name="o")' in code
    assert '.changes(7, inclusive="right")' in code


def test_what_a_stream_of_changes_cannot_have(te: TableEnvironment) -> None:
    stream = te.from_path("shop.orders", stream=True)
    with pytest.raises(ValidationException, match="The changes of a stream do not end"):
        stream.changes(1, 5)
    with pytest.raises(ValidationException, match="The function table_changes reads a table"):
        stream.changes(1, by_function=True)
    with pytest.raises(SqlParserException, match="'TO' is not expected"):
        te.sql_query("SELECT * FROM STREAM shop.orders CHANGES FROM VERSION 1 TO VERSION 2")
    te.register_catalog("own", InMemoryCatalog("own"))
    te.use_catalog("own")
    te.declare("own.default_database.orders", {"id": "BIGINT"})
    with pytest.raises(TableException, match="is in the catalog own, which records no changes of tables"):
        te.sql_query("SELECT * FROM STREAM own.default_database.orders CHANGES FROM VERSION 1")
