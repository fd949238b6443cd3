from decimal import Decimal

from tableapi.expressions import col

result = (
    env.from_path("orders")
    .filter(col("order_id") == 101)
    .select(
        (col("amount") + Decimal("1.005")).alias("p"),
        (col("amount") * 2).alias("t"),
        (col("amount") / 3).alias("d"),
        (col("amount") * (1 - col("amount"))).alias("x"),
        (col("amount") % 2).alias("r"),
        (col("amount") + col("order_id")).alias("b"),
        (col("amount") + 0.5).alias("f"),
    )
)
