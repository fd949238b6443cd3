from tableapi.expressions import col

result = env.from_path("left_bag").alias("select", "order by").filter(col("select") == 2)
