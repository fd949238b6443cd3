from tableapi.expressions import col, row_number
from tableapi.window import Over

result = (
    env.from_path("lines")
    .filter(col("sku") != "pen")
    .add_columns(row_number().over(Over.order_by(col("quantity").desc, col("sku"))).alias("place"))
    .order_by(col("place"))
)
