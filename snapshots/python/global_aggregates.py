from tableapi.expressions import col

result = env.from_path("orders").select(
    col("amount").min.alias("lo"),
    col("amount").max.alias("hi"),
    col("amount").avg.alias("mean"),
    col("amount").count.alias("n"),
)
