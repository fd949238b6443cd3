from tableapi.expressions import array, call, col, map_, map_from_arrays

result = (
    env.from_path("products")
    .filter(col("product") != "pen")
    .select(
        col("attributes").map_keys.alias("keys"),
        col("attributes").map_values.alias("values"),
        col("attributes").map_entries.alias("entries"),
        map_from_arrays(array(col("product")), array(col("price"))).alias("prices"),
        call("map_contains_key", col("attributes"), "stock").alias("has"),
        call("map_concat", col("attributes"), map_("a", 1)).alias("more"),
    )
)
