from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .add_or_replace_columns(col("y").upper_case.alias("y"), (col("x") * 10).alias("ten"))
    .filter(col("x") == 2)
)
