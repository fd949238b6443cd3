from tableapi.expressions import array, call, col

result = env.from_path("products").select(
    col("tags").array_union(array("fine", "x")).alias("together"),
    col("tags").array_intersect(array("fine", "x")).alias("common"),
    col("tags").array_except(array("fine", "x")).alias("rest"),
    call("arrays_overlap", col("tags"), array("fine", "x")).alias("overlap"),
)
