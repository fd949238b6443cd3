from tableapi.expressions import col, greatest

result = (
    env.from_path("left_bag").select(greatest(col("x"), 0, col("x") * -1).alias("size")).distinct()
)
