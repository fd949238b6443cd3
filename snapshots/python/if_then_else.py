from tableapi.expressions import col, if_then_else

result = (
    env.from_path("left_bag")
    .select(
        col("x"),
        if_then_else(col("x") > 1, "many", "one").alias("c"),
        if_then_else(
            col("x") == 3,
            "three",
            if_then_else(col("x") == 2, "two", col("y")),
        ).alias("n"),
    )
    .distinct()
)
