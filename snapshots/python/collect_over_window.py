from tableapi.expressions import UNBOUNDED_ROW, col
from tableapi.window import Over

result = (
    env.from_path("lines")
    .select(
        col("line_order"),
        col("sku"),
        col("quantity")
        .collect.over(
            Over.partition_by(col("line_order")).order_by(col("sku")).preceding(UNBOUNDED_ROW)
        )
        .map_keys.alias("so far"),
    )
    .filter(col("line_order") < 102)
)
