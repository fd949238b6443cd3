result = env.from_call("nothing_")
