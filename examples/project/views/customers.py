"""Views about customers."""

from __future__ import annotations

from tableapi import Table, TableEnvironment
from tableapi.expressions import col, lit


def customer_value(te: TableEnvironment) -> Table:
    """Return what each customer has spent, also of those without orders."""
    totals = te.from_path("sales.order_totals").rename_columns(col("id").alias("order_id"))
    return (
        te.from_path("sales.customers")
        .left_outer_join(totals, col("id") == col("customer_id"))
        .group_by(col("id"), col("name"), col("country"))
        .select(
            col("id"),
            col("name"),
            col("country"),
            col("order_id").count.alias("orders"),
            col("total").sum.if_null(lit(0)).alias("spent"),
            col("day").max.alias("last_day"),
        )
    )


def repeat_customers(te: TableEnvironment) -> Table:
    """Return the customers with at least two orders."""
    return customer_value(te).filter(col("orders") >= 2).select(col("id"), col("name"), col("spent"))


def country_revenue(te: TableEnvironment) -> Table:
    """Return the revenue of each country; customers without a country count as 'unknown'."""
    return (
        customer_value(te)
        .select(col("country").if_null("unknown").alias("country"), col("orders"), col("spent"))
        .group_by(col("country"))
        .select(col("country"), col("orders").sum.alias("orders"), col("spent").sum.alias("revenue"))
    )
