from tableapi.expressions import CURRENT_ROW, UNBOUNDED_ROW, col
from tableapi.window import Over

result = (
    env.from_path("lines")
    .filter(col("sku") != "pen")
    .select(
        col("line_order"),
        col("quantity")
        .sum.over(Over.order_by(col("line_order")).preceding(CURRENT_ROW).following(UNBOUNDED_ROW))
        .alias("s"),
    )
)
