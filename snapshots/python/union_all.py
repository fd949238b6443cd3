result = env.from_path("left_bag").union_all(env.from_path("right_bag"))
