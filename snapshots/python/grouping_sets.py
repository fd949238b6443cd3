from tableapi.expressions import col, grouping_id

result = (
    env.from_path("customers")
    .grouping_sets([col("city"), col("gender")], [col("gender")], [])
    .select(col("gender"), col("city"), col("id").max.alias("m"), grouping_id().alias("i"))
)
