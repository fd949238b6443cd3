from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .select(
        (col("x") == 1).alias("eq"),
        (col("x") != 1).alias("ne"),
        (col("x") < 2).alias("lt"),
        (col("x") <= 2).alias("le"),
        (col("x") > 2).alias("gt"),
        (col("x") >= 2).alias("ge"),
    )
    .distinct()
)
