from tableapi import DataTypes
from tableapi.expressions import col, null_of
from tableapi.window import Over

result = (
    env.from_path("orders")
    .filter(col("order_id") <= 102)
    .select(
        col("order_id"),
        col("order_id").lag(-1).over(Over.order_by(col("order_id"))).alias("after"),
        col("amount").lag(0).over(Over.order_by(col("order_id"))).alias("own"),
        col("discount")
        .lag(1, null_of(DataTypes.DOUBLE()))
        .over(Over.order_by(col("order_id")))
        .alias("before"),
    )
)
