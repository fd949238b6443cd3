from tableapi.expressions import col

result = env.from_path("events").select(
    col("k").approx_count_distinct(0.1).alias("different"),
    col("v").percentile_approx(0.5).alias("middle"),
    col("k").approx_top_k(1).alias("top"),
    col("v").histogram_numeric(10).cardinality.alias("bins"),
)
