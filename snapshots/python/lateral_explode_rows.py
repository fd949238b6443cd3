from tableapi.expressions import array, col, explode

result = (
    env.from_path("products")
    .join_lateral(explode(array(col("size"))).alias("s"))
    .filter(col("s").get("width") > 1)
    .select(col("product"), col("s").get("width"), col("s").get("box"))
)
