from tableapi.expressions import col
from tableapi.window import Over

result = (
    env.from_path("lines")
    .alias("window", "a`b.c", "EXPR$0")
    .select(
        col("window"),
        col("EXPR$0")
        .lag(1)
        .over(Over.partition_by(col("a`b.c")).order_by(col("window").desc))
        .alias("order by"),
    )
)
