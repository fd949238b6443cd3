from tableapi.expressions import col, rank
from tableapi.window import Over

result = (
    env.from_path("lines")
    .rollup(col("sku"))
    .select(
        col("sku"),
        rank()
        .over(Over.partition_by(col("sku").grouping).order_by(col("quantity").sum.desc))
        .alias("place"),
    )
)
