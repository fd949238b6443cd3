from tableapi.expressions import call, col, explode

result = (
    env.from_path("products")
    .select(call("filter", col("tags"), lambda tag: tag.is_not_null).alias("tags"))
    .select(call("transform", col("tags"), lambda tag: tag.char_length).alias("sizes"), col("tags"))
    .filter(col("sizes").cardinality > 0)
    .join_lateral(explode(col("sizes")).alias("size"))
    .select(
        col("size"),
        call("filter", col("tags"), lambda tag: tag.char_length == col("size")).alias("such"),
    )
)
