from tableapi.expressions import lit

result = env.from_path("left_bag").fetch(2).select(lit(7).alias("seven"))
