from tableapi.expressions import col

result = env.from_elements([("a_b%c",), ("axbyc",), ("A_b",), (None,)], ["s"]).select(
    col("s").like("a%").alias("p"),
    col("s").like("a!_b!%c", "!").alias("e"),
    col("s").like("a\\_b%").alias("d"),
)
