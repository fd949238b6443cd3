from tableapi.expressions import col

result = env.from_elements([(1, True), (2, False), (3, None)], ["i", "b"]).select(
    col("i"),
    col("b").is_true.alias("t"),
    col("b").is_not_true.alias("nt"),
    col("b").is_false.alias("f"),
    col("b").is_not_false.alias("nf"),
    col("b").is_unknown.alias("u"),
    col("b").is_not_unknown.alias("nu"),
)
