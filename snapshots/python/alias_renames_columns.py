from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .alias("a b", "c`d")
    .filter(col("a b") == 2)
    .select(col("c`d"), col("a b"))
)
