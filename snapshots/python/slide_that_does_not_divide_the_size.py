from tableapi.expressions import col, lit
from tableapi.window import Slide

result = (
    env.from_path("events")
    .filter(col("e") == 6)
    .window(Slide.over(lit(10).minutes).every(lit(4).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(col("w"), col("e").sum.alias("s"))
)
