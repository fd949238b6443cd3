from tableapi.expressions import col

lines = env.from_path("lines")
selected_left_bag = (
    env.from_path("left_bag")
    .filter(col("y").is_not_null & (col("x") < lines.outer("quantity")))
    .select((col("x") + lines.outer("quantity")).alias("s"), col("y"))
)
result = lines.filter(col("line_order") == 100).join_lateral(selected_left_bag)
