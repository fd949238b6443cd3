from tableapi.expressions import col

result = env.from_path("readings").select(
    col("n").bit_and.alias("both"),
    col("n").bit_or.alias("either"),
    col("n").bit_xor.alias("odd"),
    col("small").bit_or.where(col("n") == 1).alias("ten"),
)
