from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .filter(col("x").is_null | (col("x") > 1))
    .unpivot([], {"x's": [col("x"), col("y")]}, "EXPR$0", ["a`b", "c d.e"], include_nulls=False)
)
