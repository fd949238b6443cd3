result = env.from_path("left_bag").process("passing")
