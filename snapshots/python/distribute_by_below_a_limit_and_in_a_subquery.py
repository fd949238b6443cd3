from tableapi.expressions import col

selected_right_bag = (
    env.from_path("right_bag")
    .distribute_by(col("y"))
    .sort_within_partitions(col("x"))
    .select(col("x"))
)
result = env.from_path("left_bag").filter(col("x").in_(selected_right_bag)).fetch(9)
