from tableapi.expressions import UNBOUNDED_ROW, col, row_interval
from tableapi.window import Over

result = (
    env.from_path("lines")
    .filter(col("sku") == "pen")
    .select(
        col("line_order"),
        col("quantity").avg.over(Over.order_by(col("line_order"))).alias("mean"),
        col("quantity").min.over(Over.order_by(col("line_order"))).alias("least"),
        col("quantity")
        .sum0.over(
            Over.order_by(col("line_order")).preceding(row_interval(-1)).following(UNBOUNDED_ROW)
        )
        .alias("later"),
        col("quantity").stddev_pop.over(Over.order_by(col("line_order"))).alias("spread"),
    )
)
