result = env.from_path("left_bag").union(env.from_path("right_bag"))
