result = env.from_path("left_bag").intersect_all(env.from_path("right_bag"))
