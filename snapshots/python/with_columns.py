from tableapi.expressions import col, lit

result = (
    env.from_path("customers")
    .filter(col("id") == 1)
    .select(col("name"), col("gender"), col("has_newsletter"), col("id"), lit(0))
)
