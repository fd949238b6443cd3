from tableapi.expressions import coalesce, col

result = (
    env.from_path("left_bag")
    .filter(col("x") == 2)
    .select(
        (col("y").collate("UTF8_LCASE") + "X").alias("joined"),
        coalesce(col("y").collate("UNICODE"), "none").alias("chosen"),
        col("y").collate("UTF8_LCASE").replace("B", "c").alias("replaced"),
        col("y").collation.alias("plain"),
        col("y").collate("sr_Cyrl_SRB_AI").collation.alias("full"),
        col("y").collate("UTF8_LCASE").in_("A", "B").alias("found"),
        col("y").collate("UNICODE_CI").starts_with("B").alias("begins"),
    )
)
