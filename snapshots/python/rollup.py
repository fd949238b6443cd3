from tableapi.expressions import col, grouping_id

result = (
    env.from_path("customers")
    .rollup(col("city"), col("gender"))
    .select(
        col("city"),
        col("gender"),
        col("*").count.alias("n"),
        col("gender").grouping.alias("g"),
        grouping_id().alias("i"),
    )
)
