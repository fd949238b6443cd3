from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .group_by(col("x"))
    .select(col("x"), col("y").count.alias("n"), col("y").array_agg.alias("all"))
    .filter(col("n") > 0)
    .select(col("x"), (12 / col("n")).alias("share"), col("all"))
)
