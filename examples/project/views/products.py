"""Views about products."""

from __future__ import annotations

from tableapi import Table, TableEnvironment, view
from tableapi.expressions import col


@view("product_revenue", comment="revenue of each product in valid orders", owner="sales")
def product_revenue(te: TableEnvironment) -> Table:
    orders = te.from_path("valid_orders").select(col("id").alias("valid_id"))
    return (
        te.from_path("order_lines")
        .join(orders, col("order_id") == col("valid_id"))
        .join(te.from_path("products"), col("product_id") == col("id"))
        .group_by(col("id"), col("name"), col("category"))
        .select(
            col("id"),
            col("name"),
            col("category"),
            (col("quantity") * col("price")).sum.alias("revenue"),
        )
    )
