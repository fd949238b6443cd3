from tableapi.expressions import col

result = (
    env.from_path("lines")
    .alias("line_order", "a`b", "EXPR$0")
    .select(col("a`b").list_agg("`").within_group(col("EXPR$0").desc, col("a`b")))
)
