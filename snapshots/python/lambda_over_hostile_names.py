from tableapi.expressions import call, call_sql, col

result = (
    env.from_path("products")
    .select(col("tags").alias("a`b"), col("product").alias("x -> y"), col("size").alias("window"))
    .select(
        call_sql("TRANSFORM(`a``b`, `window` -> CONCAT(`window`, `x -> y`))").alias("EXPR$0"),
        call_sql("TRANSFORM(ARRAY(`window`), `window` -> `window`.`width`)").alias("start"),
    )
    .select(
        call("transform", col("EXPR$0"), lambda start_0: start_0.char_length + col("start").at(1))
    )
)
