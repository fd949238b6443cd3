from tableapi.expressions import array, col

result = env.from_path("events").select(
    col("v").percentile(0.25).alias("quarter"),
    col("v").percentile(array(0.5, 1.0)).alias("both"),
)
