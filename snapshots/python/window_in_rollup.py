from tableapi.expressions import call, col

result = (
    env.from_path("events")
    .rollup(call("window", col("ts"), "1 hour").alias("w"), col("k"))
    .select(col("w").start.alias("ws"), col("k"), col("v").sum.where(col("e") < 7).alias("s"))
)
