"""What the views are: their SQL, their columns, their meaning. Nothing here needs Spark or Java."""

from __future__ import annotations

from typing import Any

import pytest

from tableapi import TableEnvironment
from tableapi.project.project import Project
from tableapi.testing import assert_same_query, assert_schema
from views.customers import country_revenue, repeat_customers

VIEWS = [
    *("country_revenue", "customer_value", "daily_revenue", "order_totals", "product_revenue", "repeat_customers"),
    "valid_orders",
]


def test_every_view_has_a_snapshot(tableapi_project: Project) -> None:
    assert [identifier.name for identifier in tableapi_project.names()] == VIEWS


@pytest.mark.parametrize("name", VIEWS)
def test_sql(name: str, tableapi_project: Project, sql_snapshot: Any) -> None:
    """A change of a view is a change of a file, which a review shows."""
    query = tableapi_project.view(name).operation
    assert tableapi_project.environment.from_operation(query) == sql_snapshot


def test_columns_of_country_revenue(table_environment: TableEnvironment) -> None:
    assert_schema(
        country_revenue(table_environment),
        {"country": "STRING NOT NULL", "orders": "BIGINT", "revenue": "DECIMAL(38, 2)"},
    )


def test_repeat_customers_are_those_of_customer_value(table_environment: TableEnvironment) -> None:
    assert_same_query(
        repeat_customers.build(table_environment), "SELECT id, name, spent FROM customer_value WHERE orders >= 2"
    )
