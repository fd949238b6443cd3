"""Views about customers."""

from __future__ import annotations

from tableapi import Table, TableEnvironment, view
from tableapi.expressions import col, lit


@view(
    "customer_value",
    comment="what each customer has spent, also of those without orders",
    columns={"spent": "in euro", "last_day": "the day of the last order"},
    schema={
        "id": "BIGINT NOT NULL",
        "name": "STRING NOT NULL",
        "country": "STRING",
        "orders": "BIGINT NOT NULL",
        "spent": "DECIMAL(38, 2) NOT NULL",
        "last_day": "DATE",
    },
    owner="sales",
)
def customer_value(te: TableEnvironment) -> Table:
    totals = te.from_path("order_totals").rename_columns(col("id").alias("order_id"))
    return (
        te.from_path("customers")
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


@view("repeat_customers", comment="customers with at least two orders", owner="sales")
def repeat_customers(te: TableEnvironment) -> Table:
    return customer_value(te).filter(col("orders") >= 2).select(col("id"), col("name"), col("spent"))


@view("country_revenue", comment="revenue of each country; 'unknown' without a country", owner="finance")
def country_revenue(te: TableEnvironment) -> Table:
    return (
        customer_value(te)
        .select(col("country").if_null("unknown").alias("country"), col("orders"), col("spent"))
        .group_by(col("country"))
        .select(col("country"), col("orders").sum.alias("orders"), col("spent").sum.alias("revenue"))
    )
