from tableapi.expressions import col

result = env.from_elements([("Straße", "  x "), (None, "yy")], ["s", "p"]).select(
    col("s").upper_case.alias("u"),
    col("s").lower_case.alias("l"),
    col("s").char_length.alias("n"),
    (col("s") + "!").alias("plus"),
    (col("s") + col("p")).alias("c"),
)
