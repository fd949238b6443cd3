from tableapi.expressions import col

right_bag = env.from_path("right_bag")
result = (
    env.from_path("left_bag")
    .filter(col("x") > 1)
    .left_outer_as_of_join(right_bag.alias("rx", "ry").filter(col("rx") < 3), col("x") >= col("rx"))
    .join(right_bag.alias("sx", "sy"), col("sx") == col("rx"))
    .select(col("x"), col("sy"))
)
