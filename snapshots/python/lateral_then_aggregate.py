from tableapi.expressions import col, explode

result = (
    env.from_path("products")
    .join_lateral(explode(col("attributes")).alias("k", "v"))
    .group_by(col("k"))
    .select(col("k"), col("product").count.alias("n"), col("v").sum.alias("s"))
)
