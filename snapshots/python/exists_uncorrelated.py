from tableapi.expressions import col, exists

result = env.from_path("left_bag").filter(
    exists(env.from_path("nothing")) | ~exists(env.from_path("lines")) | (col("x") == 2)
)
