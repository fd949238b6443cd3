from tableapi.expressions import array, col, percentile_cont, percentile_disc

result = env.from_path("events").select(
    percentile_cont(0.5).within_group(col("v")).alias("middle"),
    percentile_cont(0.25).within_group(col("v").desc).alias("upper"),
    percentile_disc(0.5).within_group(col("v")).alias("one"),
    percentile_cont(array(0.0, 1.0)).within_group(col("v")).alias("ends"),
    col("v").median.alias("median"),
)
