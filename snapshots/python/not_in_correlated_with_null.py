from tableapi.expressions import col

left_bag = env.from_path("left_bag")
selected_right_bag = (
    env.from_path("right_bag").filter(col("x") == left_bag.outer("x")).select(col("y"))
)
result = left_bag.filter(~col("y").in_(selected_right_bag))
