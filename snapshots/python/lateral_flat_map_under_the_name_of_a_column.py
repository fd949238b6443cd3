from tableapi.expressions import col, explode

result = (
    env.from_path("products")
    .flat_map(explode(col("tags")).alias("TAGS"))
    .filter(col("TAGS").is_not_null)
)
