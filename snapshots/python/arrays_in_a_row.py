from tableapi.expressions import col

result = env.from_path("products").select(
    col("product"),
    col("tags").array_append("new").alias("appended"),
    col("tags").array_prepend("first").array_distinct().alias("prepended"),
    col("tags").array_contains("fine").alias("has"),
    col("tags").array_position("a5").alias("place"),
    col("tags").array_remove("fine").alias("removed"),
    col("tags").array_join("+", "?").alias("joined"),
    col("tags").array_max().alias("greatest"),
    col("tags").array_min().alias("least"),
)
