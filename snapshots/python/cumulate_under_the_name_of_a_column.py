from tableapi.expressions import col, cumulative_windows, explode, lit

result = (
    env.from_path("events")
    .select(col("k").alias("end"), col("v").alias("window_start"), col("ts").alias("window_key_0"))
    .join_lateral(
        explode(
            cumulative_windows(col("window_key_0") - lit(1).hour, "30 minutes", "1 hour"),
        ).alias("end_0"),
    )
    .group_by(col("end_0").alias("end"))
    .select(
        col("end").end.alias("until"),
        col("end").max.alias("greatest"),
        col("window_start").sum.alias("s"),
    )
)
