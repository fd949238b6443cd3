from tableapi.expressions import array, col, explode, map_

result = (
    env.from_path("left_bag")
    .filter(col("y") == "b")
    .join_lateral(explode(array(col("x"), col("x") * 10, 7)).alias("n"))
    .join_lateral(explode(map_(col("y"), col("n"))).alias("k", "v"))
    .select(col("n"), col("k"), col("v"))
)
