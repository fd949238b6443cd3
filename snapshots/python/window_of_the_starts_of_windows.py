from tableapi.expressions import col, lit
from tableapi.window import Slide, Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(col("w"), col("v").sum.alias("s"))
    .window(Slide.over(lit(1).hour).every(lit(30).minutes).on(col("w").start).alias("hour"))
    .group_by(col("hour"))
    .select(col("hour").start.alias("h"), col("s").sum.alias("s"))
)
