from tableapi.expressions import col

result = (
    env.from_path("orders").order_by(col("order_id")).fetch(4).offset(3).select(col("order_id"))
)
