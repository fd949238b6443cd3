from tableapi.expressions import col
from tableapi.window import Over

result = (
    env.from_path("lines")
    .select(
        col("sku"),
        (col("quantity") * 100 / col("quantity").sum.over(Over.partition_by())).alias("percent"),
    )
    .filter(col("sku") == "pad")
)
