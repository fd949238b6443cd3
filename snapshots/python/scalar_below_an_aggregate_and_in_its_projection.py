from tableapi.expressions import col, scalar

left_bag = env.from_path("left_bag")
right_bag = env.from_path("right_bag")
right_bag_summary = right_bag.select(col("x").max.alias("m")).select(col("m") + left_bag.outer("x"))
right_bag_summary_2 = right_bag.select((col("x") * left_bag.outer("x")).alias("p")).select(
    col("p").sum
)
result = left_bag.filter(col("x") == 2).select(
    scalar(right_bag_summary).alias("over"),
    scalar(right_bag_summary_2).alias("below"),
)
