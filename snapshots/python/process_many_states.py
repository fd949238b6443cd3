from tableapi.expressions import col

result = env.from_path("left_bag").partition_by(col("y")).process("many_states")
