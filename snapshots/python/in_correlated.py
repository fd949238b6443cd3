from tableapi.expressions import col

lines = env.from_path("lines")
selected_right_bag = (
    env.from_path("right_bag").filter(col("x") >= lines.outer("quantity")).select(col("x"))
)
result = lines.filter(col("quantity").in_(selected_right_bag)).select(col("sku"), col("quantity"))
