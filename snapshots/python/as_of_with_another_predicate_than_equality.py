from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .as_of_join(
        env.from_path("right_bag").alias("rx", "ry"),
        col("x") >= col("rx"),
        (col("y") == col("ry")) | col("ry").is_null,
    )
    .select(col("x"), col("rx"))
)
