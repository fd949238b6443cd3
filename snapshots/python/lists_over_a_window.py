from tableapi.expressions import col
from tableapi.window import Over

result = (
    env.from_path("lines")
    .filter(col("sku") == "pen")
    .select(
        col("line_order"),
        col("quantity").array_agg.over(Over.order_by(col("line_order"))),
        col("sku").list_agg("+").over(Over.order_by(col("line_order"))),
    )
)
