from tableapi.expressions import array, col, explode

result = (
    env.from_path("nothing")
    .join_lateral(explode(array(col("a"), 1)).alias("x"))
    .left_outer_join_lateral(explode(array(col("b"))).alias("y"))
)
