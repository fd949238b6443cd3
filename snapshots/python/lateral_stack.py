from tableapi import DataTypes
from tableapi.expressions import col, stack

result = (
    env.from_path("orders")
    .filter(col("order_id") == 100)
    .join_lateral(
        stack(
            2,
            "amount",
            col("amount").cast(DataTypes.DOUBLE()),
            "discount",
            col("discount"),
        ).alias("what", "value"),
    )
    .select(col("order_id"), col("what"), col("value"))
)
