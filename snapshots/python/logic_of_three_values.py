from tableapi.expressions import col

result = env.from_elements(
    [(True, None), (False, None), (None, None), (True, False)],
    ["p", "q"],
).select(
    (col("p") & col("q")).alias("a"),
    (col("p") | col("q")).alias("o"),
    (~col("p")).alias("n"),
)
