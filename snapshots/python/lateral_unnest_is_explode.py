from tableapi.expressions import col, explode

result = env.from_path("products").flat_map(explode(col("tags")).alias("tag"))
