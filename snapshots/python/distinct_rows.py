result = env.from_path("left_bag").distinct()
