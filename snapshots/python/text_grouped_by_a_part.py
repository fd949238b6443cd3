from tableapi.expressions import col

result = (
    env.from_path("customers")
    .group_by(col("zip_code").left(2).alias("area"))
    .select(col("area"), col("id").count.alias("customers"))
    .filter(col("area").is_not_null)
    .select(col("area").rpad(5, "x"), col("customers"))
)
