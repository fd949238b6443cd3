from tableapi.expressions import call, col, make_date

result = env.from_path("customers").select(
    col("id"),
    col("date_of_birth").add_months(12).alias("first"),
    col("date_of_birth").last_day,
    col("date_of_birth").next_day("MON").alias("monday"),
    col("date_of_birth").date_add(1).alias("morrow"),
    call("dayname", col("date_of_birth")).alias("name"),
    make_date(2000, 3, 1).date_diff(col("date_of_birth")) == 1,
)
