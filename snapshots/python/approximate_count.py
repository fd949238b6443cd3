from tableapi.expressions import col

result = (
    env.from_path("events")
    .group_by(col("k"))
    .select(col("k"), col("v").approx_count_distinct().alias("n"))
)
