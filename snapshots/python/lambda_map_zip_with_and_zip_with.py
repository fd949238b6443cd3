from tableapi.expressions import array, call, col, map_, row

result = (
    env.from_path("products")
    .filter(col("product") == "pen")
    .select(
        call(
            "map_zip_with",
            col("attributes"),
            map_("stock", 1, "new", 2),
            lambda k, old, new: old.if_null(0) - new,
        ).alias("changed"),
        call("zip_with", col("tags"), array(1, 2, 3), lambda tag, i: row(tag, i)).alias("pairs"),
    )
)
