"""What the views compute, over a few rows. Without Spark, these tests are skipped by name."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from tableapi import TableEnvironment
from tableapi.testing import GivenRows, assert_rows, with_rows

MONDAY = dt.datetime(2026, 3, 2, 10, tzinfo=dt.timezone.utc)
TUESDAY = MONDAY + dt.timedelta(days=1)


@pytest.fixture
def shop(table_environment: TableEnvironment) -> GivenRows:
    """A shop with three customers and five orders, of which one was cancelled."""
    return with_rows(
        table_environment,
        {
            "customers": [
                {"id": 1, "name": "Ada", "country": "UK"},
                {"id": 2, "name": "Bob"},
                {"id": 3, "name": "Cleo", "country": "UK"},
            ],
            "products": [(1, "tea", "drinks"), (2, "cake", "food")],
            "orders": [
                (10, 1, MONDAY, "shipped"),
                (11, 1, TUESDAY, "open"),
                (12, 2, TUESDAY, "shipped"),
                (13, 1, TUESDAY, "cancelled"),
            ],
            "order_lines": [(10, 1, 2, 3), (10, 2, 1, 5), (11, 1, 1, 3), (12, 2, 4, 5), (13, 2, 100, 5)],
        },
    )


def test_daily_revenue(shop: GivenRows) -> None:
    assert_rows(
        shop.from_path("daily_revenue"),
        [(MONDAY.date(), Decimal(11), 1), (TUESDAY.date(), Decimal(23), 2)],
    )


def test_customer_value(shop: GivenRows) -> None:
    assert_rows(
        shop.from_path("customer_value"),
        [
            (1, "Ada", "UK", 2, Decimal(14), TUESDAY.date()),
            (2, "Bob", None, 1, Decimal(20), TUESDAY.date()),
            (3, "Cleo", "UK", 0, Decimal(0), None),
        ],
    )


def test_repeat_customers(shop: GivenRows) -> None:
    assert_rows(shop.from_path("repeat_customers"), [(1, "Ada", Decimal(14))])


def test_country_revenue(shop: GivenRows) -> None:
    assert_rows(shop.from_path("country_revenue"), [("UK", 2, Decimal(14)), ("unknown", 1, Decimal(20))])


def test_product_revenue(shop: GivenRows) -> None:
    assert_rows(
        shop.from_path("product_revenue"),
        [(1, "tea", "drinks", Decimal(9)), (2, "cake", "food", Decimal(25))],
    )
