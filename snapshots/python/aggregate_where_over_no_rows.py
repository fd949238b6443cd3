from tableapi.expressions import col

result = env.from_path("nothing").select(
    col("a").count.where(col("b") == "x"),
    col("a").sum.where(col("b") == "x"),
)
