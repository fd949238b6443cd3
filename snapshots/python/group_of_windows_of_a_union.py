from tableapi.expressions import col, lit
from tableapi.window import Tumble

selected_events = env.from_path("events").select(col("k"), col("ts"))
result = (
    selected_events.union_all(selected_events)
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"), col("k"))
    .select(col("k"), col("*").count.alias("n"))
    .group_by(col("k"))
    .select(col("k"), col("n").max.alias("most"))
)
