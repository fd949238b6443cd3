from tableapi.expressions import col, lit
from tableapi.window import Slide

result = (
    env.from_path("events")
    .window(Slide.over(lit(10).minutes).every(lit(5).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(
        col("w").start.alias("ws"),
        col("v").sum.where(col("k") == "b").alias("b"),
        col("e").count.alias("n"),
    )
    .filter(col("b").is_not_null)
)
