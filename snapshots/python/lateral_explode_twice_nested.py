from tableapi.expressions import array, col, explode

result = (
    env.from_path("left_bag")
    .filter(col("x") == 3)
    .select(array(array(1, 2), array(col("x"))).alias("a"))
    .join_lateral(explode(col("a")).alias("inner"))
    .flat_map(explode(col("inner")).alias("n"))
)
