"""The views of the project over its schemas. The fixture ``table_environment`` reads them from ``catalog``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tableapi import Table, TableEnvironment
from views.customers import country_revenue, customer_value, repeat_customers
from views.products import product_revenue

VIEWS_IN_PYTHON: Mapping[str, Callable[[TableEnvironment], Table]] = {
    "customer_value": customer_value,
    "repeat_customers": repeat_customers,
    "country_revenue": country_revenue,
    "product_revenue": product_revenue,
}
VIEWS_IN_SQL = ("valid_orders", "order_totals", "daily_revenue")


@pytest.fixture(params=[*VIEWS_IN_PYTHON, *VIEWS_IN_SQL])
def view(request: pytest.FixtureRequest, table_environment: TableEnvironment) -> Table:
    """Each view of the project in turn."""
    name: str = request.param
    if name in VIEWS_IN_PYTHON:
        return VIEWS_IN_PYTHON[name](table_environment)
    return table_environment.from_view_definition(f"sales.{name}")
