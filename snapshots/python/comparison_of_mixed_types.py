import datetime as dt
from decimal import Decimal

from tableapi.expressions import col

result = (
    env.from_path("orders")
    .filter(col("order_id") == 100)
    .select(
        (col("amount") == 20).alias("decimal_int"),
        (col("order_id") == "100").alias("int_text"),
        (col("discount") < Decimal("0.5")).alias("double_decimal"),
        (col("ordered_at") > dt.date(2024, 1, 31)).alias("timestamp_date"),
    )
)
