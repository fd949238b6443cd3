from tableapi.expressions import col, percentile_cont
from tableapi.window import Over

result = env.from_path("lines").select(
    col("line_order"),
    col("sku"),
    col("sku")
    .list_agg("+")
    .within_group(col("sku"))
    .over(Over.partition_by(col("line_order")))
    .alias("all"),
    percentile_cont(0.5)
    .within_group(col("quantity"))
    .where(col("sku") == "pen")
    .over(Over.partition_by(col("line_order")))
    .alias("pens"),
)
