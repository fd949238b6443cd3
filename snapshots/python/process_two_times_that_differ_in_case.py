from tableapi.expressions import col, descriptor

events = env.from_path("events")
result = env.from_call(
    "inferred",
    left=events.select(col("k"), col("ts")).partition_by(col("k")),
    right=events.select(col("k"), col("ts").alias("TS")).partition_by(col("k")),
    on_time=descriptor("ts"),
)
