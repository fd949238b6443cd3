result = env.from_path("left_bag").sample(0.0)
