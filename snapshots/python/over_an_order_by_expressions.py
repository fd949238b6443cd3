from tableapi.expressions import col, row_number
from tableapi.window import Over

result = env.from_path("customers").select(
    col("id"),
    row_number()
    .over(Over.order_by(col("city").upper_case.desc, col("name").char_length, col("id")))
    .alias("n"),
)
