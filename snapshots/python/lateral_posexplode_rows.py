from tableapi.expressions import array, col, lit, posexplode, row

result = (
    env.from_path("left_bag")
    .filter(col("x") >= 2)
    .add_columns(array(row(col("x").alias("x"), lit("a").alias("start"))).alias("rows"))
    .join_lateral(posexplode(col("rows")).alias("field_0", "r"))
    .left_outer_join_lateral(posexplode(col("rows")).alias("p", "q"))
    .select(col("x"), col("field_0"), col("r").start.alias("s"), col("p"), col("q"))
)
