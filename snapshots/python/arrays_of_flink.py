from tableapi.expressions import array, call, col, concat, map_

result = env.from_path("products").select(
    col("product"),
    call("slice", col("tags"), 1, 1).alias("first"),
    col("tags").array_slice(-1, -1).alias("last"),
    col("tags").array_slice(col("size").get("width"), -1).alias("rest"),
    concat(col("tags"), array("x"), col("tags")).reverse.alias("turned"),
    col("attributes").map_union(map_("stock", 0)).alias("updated"),
    col("product").reverse.alias("back"),
)
