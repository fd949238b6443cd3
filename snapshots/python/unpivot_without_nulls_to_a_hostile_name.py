from tableapi.expressions import col

result = env.from_path("left_bag").unpivot(
    [col("x")],
    [col("y")],
    "EXPR$0",
    "EXPR$1",
    include_nulls=False,
)
