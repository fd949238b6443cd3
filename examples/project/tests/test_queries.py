"""What the views are: their SQL, their columns, their meaning. Nothing here needs Spark or Java."""

from __future__ import annotations

from typing import Any

from tableapi import Table, TableEnvironment
from tableapi.testing import assert_same_query, assert_schema
from views.customers import customer_value, repeat_customers


def test_sql(view: Table, sql_snapshot: Any) -> None:
    """A change of a view is a change of a file, which a review shows."""
    assert view == sql_snapshot


def test_contract_of_customer_value(table_environment: TableEnvironment) -> None:
    assert_schema(
        customer_value(table_environment),
        {
            "id": "BIGINT NOT NULL",
            "name": "STRING NOT NULL",
            "country": "STRING",
            "orders": "BIGINT NOT NULL",
            "spent": "DECIMAL(38, 2) NOT NULL",
            "last_day": "DATE",
        },
    )


def test_repeat_customers_are_those_of_customer_value(table_environment: TableEnvironment) -> None:
    table_environment.create_temporary_view("customer_value", customer_value(table_environment))
    assert_same_query(
        repeat_customers(table_environment),
        """
        SELECT c.id, c.name, IFNULL(SUM(t.total), 0) AS spent
        FROM sales.customers AS c
        LEFT JOIN sales.order_totals AS t ON c.id = t.customer_id
        GROUP BY c.id, c.name, c.country
        HAVING COUNT(t.id) >= 2
        """,
    )
