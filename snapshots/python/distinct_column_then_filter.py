from tableapi.expressions import col

result = env.from_path("orders").select(col("status")).distinct().filter(col("status").is_not_null)
