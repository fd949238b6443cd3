from tableapi.expressions import call, col

result = env.from_path("products").select(
    col("product"),
    call(
        "aggregate",
        col("attributes").map_values,
        0,
        lambda total, value: total + value.if_null(0),
        lambda total: total * 10,
    ).alias("total"),
)
