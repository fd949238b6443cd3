from tableapi.expressions import col, rank
from tableapi.window import Over

result = env.from_path("left_bag").select(
    col("x"),
    rank().over(Over.order_by(col("x"))).alias("asc"),
    rank().over(Over.order_by(col("x").asc.nulls_last)).alias("asc_last"),
    rank().over(Over.order_by(col("x").desc)).alias("desc"),
    rank().over(Over.order_by(col("x").desc.nulls_first)).alias("desc_first"),
)
