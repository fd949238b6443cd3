from tableapi.expressions import call, col

result = (
    env.from_path("events")
    .group_by(call("window", col("ts"), "1 hour").alias("w"))
    .pivot(col("k"), ["a", "b"])
    .select(col("v").sum)
    .select(col("w").end.alias("we"), col("a"), col("b"))
)
