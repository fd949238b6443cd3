result = env.from_path("left_bag").minus(env.from_path("right_bag"))
