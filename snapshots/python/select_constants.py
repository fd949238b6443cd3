from tableapi.expressions import lit

result = env.from_path("left_bag").select(lit(1), lit("x").alias("c"))
