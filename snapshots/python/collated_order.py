from tableapi.expressions import col

result = env.from_elements(
    [(1, "b"), (2, "A"), (3, "a"), (4, "B"), (5, None)],
    ["n", "s"],
).order_by(col("s").collate("UNICODE"), col("n"))
