from tableapi.expressions import col, exists

result = (
    env.from_path("left_bag")
    .filter(exists(env.from_path("nothing").select(col("a").max)))
    .select(col("x"))
)
