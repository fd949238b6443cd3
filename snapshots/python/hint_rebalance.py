from tableapi.expressions import col

result = (
    env.from_path("left_bag").hint("rebalance").hint("repartition_by_range", col("x")).distinct()
)
