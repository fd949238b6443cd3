from tableapi.expressions import array, call, call_sql, col

result = (
    env.from_path("lines")
    .group_by(col("sku"))
    .select(
        col("sku"),
        call("transform", array(1, 10), lambda x: x * col("quantity").sum).alias("sums"),
        call_sql(
            "AGGREGATE(ARRAY(`sku`, '!'), '', (`all`, `part`) -> CONCAT(`all`, `part`))",
        ).alias("name"),
    )
)
