result = env.from_call("scalars", i=1, uid="mine")
