from tableapi.expressions import lit

result = env.from_path("left_bag").filter(lit(1) > 2)
