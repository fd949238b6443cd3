from tableapi.expressions import col, row_number
from tableapi.window import Over

result = env.from_path("products").select(
    col("product"),
    col("size").lag(1).over(Over.order_by(col("product"))).get("width").alias("before"),
    col("tags").first_value.ignore_nulls.over(Over.order_by(col("product").desc)).alias("tags"),
    row_number().over(Over.partition_by(col("size")).order_by(col("product"))).alias("n"),
)
