from tableapi.expressions import array, call, col

result = env.from_path("products").select(
    col("product"),
    call("sequence", 1, col("size").get("width")).alias("numbers"),
    call("arrays_zip", col("tags"), call("sequence", 1, col("size").get("width"))).alias("zipped"),
    call("array_repeat", col("product"), 2).alias("twice"),
    call("flatten", array(col("tags"), array("x"))).alias("flat"),
    call("sort_array", col("tags"), False).alias("down"),
)
