result = env.from_call("scalars", i=42, b=True)
