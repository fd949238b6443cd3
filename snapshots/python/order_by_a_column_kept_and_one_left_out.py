from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .select(col("x").alias("n"), col("y").char_length.alias("size"))
    .order_by((col("n") + col("size")).desc, col("n"))
    .select(col("n"))
)
