from tableapi.expressions import col, exists, row

selected_left_bag = env.from_path("left_bag").select(
    col("x").alias("outer"),
    row(col("x").alias("k")).alias("OUTER_"),
    col("y").alias("k"),
)
filtered_right_bag = (
    env.from_path("right_bag")
    .select(
        row(col("x").alias("k")).alias("outer__"),
        col("y").alias("EXPR$0"),
        col("x").alias("outer"),
    )
    .filter(
        (col("EXPR$0") == selected_left_bag.outer("k"))
        & (col("outer") == selected_left_bag.outer("OUTER_").get("k")),
    )
)
result = selected_left_bag.filter(exists(filtered_right_bag)).select(col("k"), col("outer"))
