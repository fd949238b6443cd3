from tableapi.expressions import call, col

result = env.from_path("products").select(
    col("product"),
    call("transform", col("tags"), lambda tag: tag.upper_case).alias("tags"),
)
