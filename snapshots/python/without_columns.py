from tableapi.expressions import col

result = env.from_path("customers").filter(col("id") == 2).select(col("name"), col("city"))
