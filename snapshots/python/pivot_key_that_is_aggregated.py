from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .group_by(col("x"))
    .pivot(col("x") == 1, {"yes": True, "no": False})
    .select(col("x").sum)
)
