from tableapi.expressions import array, call, col

result = (
    env.from_path("products")
    .select(col("tags").alias("a`b"), col("product").alias("x -> y"), col("size").alias("window"))
    .select(
        call("transform", col("a`b"), lambda window: window + col("x -> y")).alias("EXPR$0"),
        call("transform", array(col("window")), lambda window: window.get("width")).alias("start"),
    )
    .select(
        call("transform", col("EXPR$0"), lambda start_0: start_0.char_length + col("start").at(1))
    )
)
