from tableapi.expressions import col

result = (
    env.from_path("readings")
    .filter((col("n") == 1) | (col("n") == 3))
    .select(
        col("big").try_sum.alias("sum"),
        col("n").try_sum.alias("fits"),
        col("n").try_avg.alias("mean"),
    )
)
