from tableapi.expressions import col

result = (
    env.from_path("orders").order_by(col("status"), col("order_id").desc).select(col("order_id"))
)
