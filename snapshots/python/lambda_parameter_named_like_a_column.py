from tableapi.expressions import call, col

result = env.from_path("products").select(
    call("transform", col("tags"), lambda product_0: product_0 + col("product")).alias("x"),
    call("transform", col("tags"), lambda product: product + "!").alias("y"),
)
