"""Small rows in place of base tables."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tableapi import DirectoryCatalog, EnvironmentSettings, TableEnvironment
from tableapi.exceptions import TableNotExistException, ValidationException
from tableapi.expressions import col
from tableapi.testing import assert_rows, with_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ORDERS = {"id": "BIGINT NOT NULL", "customer": "STRING", "amount": "DECIMAL(10, 2)", "placed": "TIMESTAMP_LTZ"}


@pytest.fixture
def te(tmp_path: Path) -> TableEnvironment:
    """An environment over a directory catalog with two tables, a view, and a view over the view."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    made = TableEnvironment.create(settings)
    made.register_catalog("main", DirectoryCatalog("main", tmp_path))
    made.use_catalog("main")
    made.execute_sql("CREATE DATABASE sales")
    orders = made.declare("sales.orders", ORDERS)
    made.declare("sales.customers", {"name": "STRING NOT NULL", "country": "STRING"})
    made.create_view("sales.large", orders.filter(col("amount") > 10))
    large = made.from_path("sales.large")
    made.create_view(
        "sales.totals", large.group_by(col("customer")).select(col("customer"), col("amount").sum.alias("total"))
    )
    return made


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        (
            {"sales.orders": [(1, "a", 2, None), ("2", "a", 2, None)]},
            r"In the rows of 'sales\.orders': Row 1, column 'id': The str '2' is not a value of BIGINT",
        ),
        ({"sales.orders": [{"customer": "a"}]}, r"Row 0, column 'id': NULL is not a value of BIGINT NOT NULL\."),
        ({"sales.orders": [{"id": 1, "custmer": "a"}]}, r"Row 0: The row .* has no place for 'custmer' in the fields"),
        ({"sales.orders": [(1, "a")]}, r"Row 0: The row \(1, 'a'\) has 2 values where 4 are expected"),
        (
            {"sales.orders": [(1, "a", Decimal("1.234"), None)]},
            r"Row 0, column 'amount': .* accepted are at most 8 digits before the point and 2 after",
        ),
    ],
)
def test_wrong_values_are_named_with_row_and_column(te: TableEnvironment, tables: Any, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        with_rows(te, tables)


def test_an_unknown_table_is_named_with_the_nearest(te: TableEnvironment) -> None:
    with pytest.raises(TableNotExistException, match="orders"):
        with_rows(te, {"sales.ordres": []})


def test_views_are_replaced_down_to_the_tables(te: TableEnvironment) -> None:
    given = with_rows(te, {"sales.orders": [(1, "a", 20, None)]})
    text = given.from_path("sales.totals").as_serializable_string(layout="MERGED")
    assert "(1L, 'a', CAST(20.00 AS DECIMAL(10, 2)), CAST(NULL AS TIMESTAMP_LTZ))" in text
    assert "`amount` > 10" in text
    assert "sales" not in text


def test_rows_of_a_view_replace_the_view(te: TableEnvironment) -> None:
    given = with_rows(te, {"SALES.Large": [(1, "a", 1, None)]})
    text = given.from_path("sales.totals").as_serializable_string(layout="MERGED")
    assert "`amount` > 10" not in text
    assert "(1L, 'a', CAST(1.00 AS DECIMAL(10, 2)), CAST(NULL AS TIMESTAMP_LTZ))" in text


def test_a_table_without_rows_is_named(te: TableEnvironment) -> None:
    given = with_rows(te, {"sales.orders": []})
    with pytest.raises(ValidationException) as raised:
        given.sql_query("SELECT * FROM sales.totals JOIN sales.customers ON customer = name")
    assert str(raised.value) == (
        "The query reads the table main.sales.customers, which has no rows: with_rows has rows of main.sales.orders. "
        "Give it rows, if only an empty list."
    )


def test_rows_of_spark(spark: SparkSession, te: TableEnvironment) -> None:
    noon = dt.datetime(2026, 1, 1, 12, tzinfo=dt.timezone.utc)
    given = with_rows(
        te,
        {
            "sales.orders": [(1, "ada", 20, noon), (2, "ada", 11, noon), (3, "bob", 5, None), {"id": 4, "amount": 12}],
            "sales.customers": [],
        },
    )
    assert_rows(given.from_path("sales.totals"), [("ada", Decimal(31)), (None, Decimal(12))])
    assert_rows(given.sql_query("SELECT placed FROM sales.large WHERE id = 1"), [noon])
    assert_rows(given.sql_query("SELECT id FROM sales.orders JOIN sales.customers ON customer = name"), [])
