from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
    .group_by(col("k"), col("w"))
    .select(col("k"), col("w"), (col("v").sum + 1).alias("s"))
    .select(col("w").end.alias("we"), col("s"))
    .filter(col("s") > 5)
)
