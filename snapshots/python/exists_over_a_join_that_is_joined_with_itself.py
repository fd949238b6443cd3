from tableapi.expressions import col, exists

left_bag = env.from_path("left_bag")
selected_left_bag = left_bag.alias("a", "b")
right_bag = env.from_path("right_bag")
filtered_left_bag_and_right_bag = (
    left_bag.alias("e", "f")
    .join(right_bag.alias("g", "h"), col("e") == col("g"))
    .filter((col("e") == selected_left_bag.outer("a")) & col("f").is_not_null)
)
filtered_left_bag_and_right_bag_2 = selected_left_bag.join(
    right_bag.alias("c", "d"),
    col("a") == col("c"),
).filter(exists(filtered_left_bag_and_right_bag))
result = filtered_left_bag_and_right_bag_2.left_outer_join(
    filtered_left_bag_and_right_bag_2.alias("a2", "b2", "c2", "d2"),
    col("a") == col("a2"),
)
