from tableapi.expressions import col

left_bag = env.from_path("left_bag")
result = (
    left_bag.union_all(env.from_path("right_bag").minus(left_bag))
    .intersect(left_bag)
    .filter(col("x") < 3)
)
