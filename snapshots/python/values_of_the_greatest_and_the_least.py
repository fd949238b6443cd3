from tableapi.expressions import col

result = env.from_path("orders").select(
    col("order_id").max_by(col("amount")).alias("most"),
    col("order_id").min_by(col("amount")).alias("least"),
    col("order_id").max_by(col("amount"), 2).alias("two"),
)
