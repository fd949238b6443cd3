from tableapi.expressions import col

result = env.from_path("nothing").select(
    col("a").count.alias("n"),
    col("a").sum.alias("s"),
    col("a").sum0.alias("z"),
)
