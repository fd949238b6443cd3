from tableapi.expressions import col

result = env.from_path("customers").partition_by(col("city"), col("gender")).process("by_set", i=1)
