from tableapi.expressions import col

result = (
    env.from_path("left_bag").filter(col("x") > 1).unpivot([col("x")], [col("y")], "n`m", "v.v")
)
