from tableapi.expressions import col

result = env.from_path("customers").select(col("id"), col("name")).filter(col("id") < 3)
