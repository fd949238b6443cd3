from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(
        col("w").start.alias("start"),
        col("k").list_agg("").within_group(col("v").desc).alias("ks"),
        col("v").median.alias("middle"),
    )
    .filter(col("start").is_not_null)
)
