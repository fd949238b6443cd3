from tableapi.expressions import call, col

result = (
    env.from_path("events")
    .select(
        col("e"),
        col("k"),
        col("v"),
        col("ts"),
        col("instant"),
        col("day"),
        call("window", col("ts"), "10 minutes").alias("window"),
    )
    .group_by(col("k"))
    .select(col("k"), col("window").start.max.alias("latest"), col("*").count.alias("c"))
)
