from tableapi.expressions import col

result = (
    env.from_elements([(1, "one"), (2, "two")], ["k", "word"])
    .join(env.from_path("left_bag"), col("k") == col("x"))
    .select(col("word"), col("y"))
)
