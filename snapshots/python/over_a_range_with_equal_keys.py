from tableapi.expressions import CURRENT_RANGE, UNBOUNDED_RANGE, col
from tableapi.window import Over

result = env.from_path("left_bag").select(
    col("x"),
    col("*").count.over(Over.order_by(col("x"))).alias("so_far"),
    col("*").count.over(Over.order_by(col("x")).preceding(CURRENT_RANGE)).alias("equal"),
    col("*")
    .count.over(Over.order_by(col("x")).preceding(CURRENT_RANGE).following(UNBOUNDED_RANGE))
    .alias("left"),
)
