from tableapi.expressions import col, lit

result = env.from_elements([("abcdef",)], ["s"]).select(
    lit("cd").position(col("s")).alias("p"),
    lit("z").position(col("s")).alias("q"),
    col("s").overlay("ZZ", 2).alias("o"),
    col("s").overlay("ZZ", 2, 4).alias("o4"),
    col("s").substring(3).alias("a"),
    col("s").substring(2, 3).alias("b"),
    col("s").substr(-2).alias("c"),
)
