from tableapi.expressions import col, row_number
from tableapi.window import Over

result = env.from_path("right_bag").select(
    col("x"),
    row_number().over(Over.partition_by(col("x"), col("y")).order_by(col("x"))).alias("n"),
    col("*").count.over(Over.partition_by(col("y").is_null, col("x") > 2)).alias("m"),
)
