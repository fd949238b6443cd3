from tableapi.expressions import call, col

result = env.from_path("events").select(
    call("hll_sketch_estimate", call("hll_sketch_agg", col("k"))).alias("hll"),
    call("theta_sketch_estimate", call("theta_sketch_agg", col("v"))).alias("theta"),
    call("kll_sketch_get_n_bigint", call("kll_sketch_agg_bigint", col("v"))).alias("kll"),
    call(
        "tuple_sketch_estimate_integer",
        call("tuple_sketch_agg_integer", col("k"), col("v")),
    ).alias("keys"),
    call(
        "bitmap_count",
        call("bitmap_construct_agg", call("bitmap_bit_position", col("v"))),
    ).alias("bits"),
)
