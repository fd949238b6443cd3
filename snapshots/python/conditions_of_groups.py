from tableapi.expressions import col

result = (
    env.from_path("orders")
    .group_by(col("status"))
    .select(
        col("status"),
        (col("amount") > 0).count_if.alias("n"),
        (col("amount") > 0).bool_and.alias("all"),
        (col("amount") > 0).bool_or.alias("any"),
    )
)
