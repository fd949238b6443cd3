from tableapi.expressions import col

result = env.from_elements([(" xxaxx ",), ("xxaxx",)], ["s"]).select(
    col("s").trim().alias("b"),
    col("s").trim_leading().alias("l"),
    col("s").trim_trailing().alias("t"),
    col("s").trim("x").alias("bx"),
    col("s").trim_leading("x").alias("lx"),
    col("s").trim_trailing("x").alias("tx"),
)
