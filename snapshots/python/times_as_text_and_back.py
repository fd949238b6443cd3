from tableapi.expressions import col, date_format, from_unixtime, to_date, to_timestamp

result = env.from_path("readings").select(
    date_format(col("at"), "dd.MM.yyyy").alias("shown"),
    to_date(date_format(col("at"), "dd.MM.yyyy"), "dd.MM.yyyy").alias("day"),
    to_timestamp(date_format(col("at"), "yyyy-MM-dd HH:mm:ss")).alias("at"),
    from_unixtime(col("n")).alias("epoch"),
)
