from tableapi.expressions import col

result = (
    env.from_path("readings")
    .filter(col("n") == 1)
    .select(
        (col("tiny") + col("small")).alias("s"),
        (col("small") + col("n")).alias("i"),
        (col("n") + col("big")).alias("b"),
        (col("n") + col("ratio")).alias("f"),
        (col("big") + col("level")).alias("d"),
        (col("fine") + col("tiny")).alias("m"),
    )
)
