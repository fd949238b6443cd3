from tableapi.expressions import call, col, monotonically_increasing_id, rand, uuid

result = (
    env.from_path("nothing")
    .select(
        rand().alias("r"),
        call("rand_integer", 6).alias("die"),
        uuid().alias("id"),
        monotonically_increasing_id().alias("n"),
    )
    .filter((col("r") < 1) & (col("die") < 6))
)
