from tableapi.expressions import col

result = (
    env.from_path("readings")
    .filter(col("n") == 1)
    .unpivot([col("n")], [col("tiny"), col("big"), col("level")], "name", "value")
)
