from tableapi.expressions import col, descriptor

events = env.from_path("events")
result = env.from_call(
    "inferred",
    left=events.select(col("k"), col("ts")).partition_by(col("k")),
    right=events.filter(col("v") > 1).select(col("k"), col("ts")).partition_by(col("k")),
    copies=2,
    wanted=descriptor("a b", "c"),
    on_time=descriptor("ts"),
)
