from tableapi.expressions import col, row_interval
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(row_interval(1)).on(col("day")).alias("k"))
    .group_by(col("k"))
    .select(col("e").max.alias("e"), col("k").max.alias("key"))
    .filter(col("e") < 4)
)
