result = env.from_path("left_bag").minus_all(env.from_path("right_bag"))
