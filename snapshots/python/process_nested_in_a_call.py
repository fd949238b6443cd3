from tableapi.expressions import col

result = env.from_path("left_bag").process("passing").filter(col("x") > 0).process("by_row", i=1)
