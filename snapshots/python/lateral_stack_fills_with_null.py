from tableapi.expressions import col, lit, stack

result = (
    env.from_path("left_bag")
    .filter(col("x") == 2)
    .flat_map(stack(2, col("x"), col("y"), lit(None)))
)
