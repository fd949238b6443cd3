from tableapi.expressions import col

by_set = env.from_path("customers").partition_by(col("id")).process("by_set", i=1)
result = by_set.union_all(by_set)
