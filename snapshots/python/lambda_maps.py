from tableapi.expressions import call, col

result = env.from_path("products").select(
    col("product"),
    call("map_filter", col("attributes"), lambda key, value: value > 5).alias("many"),
    call("transform_keys", col("attributes"), lambda key, value: key.upper_case).alias("upper"),
    call(
        "transform_values",
        col("attributes"),
        lambda key, value: value + col("size").get("width"),
    ).alias("more"),
)
