from tableapi.expressions import array, call, col

result = (
    env.from_path("products")
    .filter(col("product") == "pen")
    .select(
        call(
            "transform",
            col("tags"),
            lambda x: call("transform", array(1, 2), lambda x: x + 1).cardinality + x.char_length,
        ).alias("inner"),
        call(
            "transform",
            array(1, 2),
            lambda x: call("transform", array(10, 20), lambda x_0: x_0 + x),
        ).alias("both"),
    )
)
