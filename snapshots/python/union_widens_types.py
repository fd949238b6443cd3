from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .union_all(env.from_path("orders").select(col("discount"), col("status")))
    .filter(col("x") > 0.2)
)
