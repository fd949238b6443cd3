from tableapi.expressions import call, col

result = (
    env.from_path("products")
    .filter(call("exists", col("tags"), lambda tag: tag.like("%e")))
    .select(col("product"), call("filter", col("tags"), lambda tag: tag > "c").alias("later"))
)
