from tableapi.expressions import col, range_interval
from tableapi.window import Over

result = (
    env.from_path("lines")
    .filter(col("sku") != "pen")
    .select(
        col("line_order"),
        col("quantity")
        .sum.over(
            Over.order_by(col("line_order"))
            .preceding(range_interval(5))
            .following(range_interval(2)),
        )
        .alias("s"),
    )
)
