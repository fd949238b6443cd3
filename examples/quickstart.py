"""A table, a query, its tree, its SQL, its rows and a view: ``python -m examples.quickstart``."""

from __future__ import annotations

from decimal import Decimal

from tableapi import DataTypes, TableEnvironment, ValidationException
from tableapi.expressions import col, lit

ORDERS = DataTypes.ROW(
    [
        DataTypes.FIELD("customer", DataTypes.STRING()),
        DataTypes.FIELD("product", DataTypes.STRING()),
        DataTypes.FIELD("amount", DataTypes.DECIMAL(8, 2)),
    ]
)


def main(te: TableEnvironment) -> None:
    tea, cake = Decimal("4.50"), Decimal("3.20")
    orders = te.from_elements(
        [("Ada", "tea", tea), ("Ada", "cake", cake), ("Bob", "tea", tea), ("Cleo", "coffee", None)], ORDERS
    )
    big_spenders = (
        orders.filter(col("amount").is_not_null)
        .group_by(col("customer"))
        .select(col("customer"), lit(1).count.alias("orders"), col("amount").sum.alias("total"))
        .filter(col("total") > 5)
    )
    print(big_spenders.as_summary_string(), end="\n\n")
    print(big_spenders.as_serializable_string(), end="\n\n")
    big_spenders.execute().print()

    # A permanent view: another process or another Spark tool finds it in the catalog.
    te.create_view("big_spenders", big_spenders, or_replace=True, comment="Customers who spent more than 5")
    te.from_path("big_spenders").select(col("customer").upper_case.alias("name")).execute().print()

    # The call that contains a mistake reports it, before anything runs.
    try:
        orders.select(col("amuont"))
    except ValidationException as error:
        print(error)


if __name__ == "__main__":
    main(TableEnvironment.create())
