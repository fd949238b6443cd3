from tableapi.expressions import call, col

result = env.from_path("readings").select(
    call("timestamp_millis", col("n")).alias("millis"),
    call("timestamp_seconds", col("n")).alias("seconds"),
    call("timestamp_micros", -1).alias("micros"),
)
