from tableapi.expressions import col, row_interval
from tableapi.window import Over

result = (
    env.from_path("lines")
    .filter(col("sku") != "pen")
    .select(
        col("line_order"),
        col("quantity")
        .sum.over(
            Over.order_by(col("line_order")).preceding(row_interval(1)).following(row_interval(1))
        )
        .alias("s"),
    )
)
