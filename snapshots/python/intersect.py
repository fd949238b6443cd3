result = env.from_path("left_bag").intersect(env.from_path("right_bag"))
