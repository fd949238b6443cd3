result = env.from_path("customers").process("by_row", i=7)
