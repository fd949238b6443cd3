from tableapi.expressions import col, convert_tz, date_format

result = env.from_path("readings").select(
    convert_tz(date_format(col("at"), "yyyy-MM-dd HH:mm:ss"), "UTC", "Asia/Tokyo").alias("tokyo")
)
