from tableapi.expressions import col, exists

right_bag = env.from_path("right_bag")
left_bag = env.from_path("left_bag")
result = left_bag.select(
    col("x"),
    exists(right_bag.filter(col("x") == left_bag.outer("x"))).alias("equal"),
    exists(right_bag.filter(col("x").is_not_distinct_from(left_bag.outer("x")))).alias("same"),
)
