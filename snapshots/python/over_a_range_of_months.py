from tableapi.expressions import col, lit
from tableapi.window import Over

result = env.from_path("orders").select(
    col("order_id"),
    col("*").count.over(
        Over.order_by(col("ordered_at")).preceding(lit(1).month).following(lit(1).year),
    ),
)
