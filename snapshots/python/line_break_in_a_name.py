from tableapi.expressions import col

result = env.from_elements([(1,)], ["new\nline"]).filter(col("new\nline") == 1)
