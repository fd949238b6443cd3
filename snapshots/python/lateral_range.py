from tableapi.expressions import call, col

result = (
    env.from_path("left_bag")
    .filter(col("x") < 3)
    .join_lateral(call("range", 1, 3).alias("i"))
    .filter(col("i") >= col("x"))
)
