from tableapi.expressions import col

result = (
    env.from_path("nothing")
    .select(col("b").collate("UNICODE_CI").alias("b"), col("a"))
    .group_by(col("b"))
    .select(col("b"), col("a").max.alias("most"))
)
