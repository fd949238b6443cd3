"""Views about products."""

from __future__ import annotations

from tableapi import Table, TableEnvironment
from tableapi.expressions import col


def product_revenue(te: TableEnvironment) -> Table:
    """Return the revenue of each product in valid orders."""
    lines = te.from_path("sales.order_lines")
    orders = te.from_path("sales.valid_orders").select(col("id").alias("valid_id"))
    products = te.from_path("sales.products")
    return (
        lines.join(orders, col("order_id") == col("valid_id"))
        .join(products, col("product_id") == col("id"))
        .group_by(col("id"), col("name"), col("category"))
        .select(
            col("id"),
            col("name"),
            col("category"),
            (col("quantity") * col("price")).sum.alias("revenue"),
        )
    )
