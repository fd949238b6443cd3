from tableapi.expressions import col

result = env.from_path("lines").select(
    col("quantity").sum,
    col("quantity").sum,
    col("quantity").sum.alias("third"),
)
