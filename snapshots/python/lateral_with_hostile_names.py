from tableapi.expressions import array, col, explode, lit, row

result = (
    env.from_path("left_bag")
    .filter(col("x") == 2)
    .select(
        row(array(col("x")).alias("x"), lit(9).alias("n")).alias("lateral"),
        array(7, 8).alias("LATERAL_"),
    )
    .join_lateral(explode(col("lateral").get("x")).alias("x y"))
    .filter(col("lateral").get("n") > col("x y"))
    .join_lateral(explode(col("LATERAL_")).alias("n"))
    .select(col("x y"), col("n"))
)
