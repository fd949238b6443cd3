from tableapi.expressions import UNBOUNDED_ROW, col
from tableapi.window import Over

result = env.from_path("lines").select(
    col("line_order"),
    col("sku"),
    col("quantity").max.over(
        Over.partition_by(col("line_order"))
        .order_by(col("quantity"))
        .preceding(UNBOUNDED_ROW)
        .following(UNBOUNDED_ROW),
    ),
)
