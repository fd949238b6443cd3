result = env.from_elements([(1, 2)], ["a", "b"]).alias("b", "a")
