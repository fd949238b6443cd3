result = env.from_path("left_bag").fetch(0)
