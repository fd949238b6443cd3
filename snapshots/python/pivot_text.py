from tableapi.expressions import col

result = (
    env.from_path("customers")
    .group_by(col("gender"))
    .pivot(col("city"), ["Berlin", "Paris"])
    .select(col("name").max.alias("last"), col("name").count.alias("n"))
)
