from tableapi.expressions import array, call, col

result = env.from_path("nothing").select(
    call("transform", array(col("a")), lambda x: x + 1).alias("x")
)
