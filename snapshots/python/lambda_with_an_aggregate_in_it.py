from tableapi.expressions import array, call, col

result = (
    env.from_path("lines")
    .group_by(col("sku"))
    .select(
        col("sku"),
        call("transform", array(1, 10), lambda x: x * col("quantity").sum).alias("sums"),
        call("aggregate", array(col("sku"), "!"), "", lambda all, part: all + part).alias("name"),
    )
)
