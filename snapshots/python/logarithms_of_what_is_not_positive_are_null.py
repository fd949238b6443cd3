from tableapi.expressions import call, col

result = (
    env.from_path("left_bag")
    .filter(col("x").is_not_null)
    .select(
        col("x"),
        (col("x") - 2).ln.alias("ln"),
        call("log", 2, col("x") - 1).alias("log2"),
        call("log", col("x"), 8).round(2).alias("of_8"),
    )
)
