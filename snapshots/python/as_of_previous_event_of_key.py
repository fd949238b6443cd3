from tableapi.expressions import col

events = env.from_path("events")
selected_events = events.select(
    col("e").alias("before"),
    col("k").alias("key"),
    col("ts").alias("since"),
)
result = events.as_of_join(
    selected_events,
    col("ts") > col("since"),
    col("k") == col("key"),
).select(col("e"), col("before"))
