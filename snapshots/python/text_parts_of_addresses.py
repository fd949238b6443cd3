from tableapi.expressions import col

result = env.from_path("customers").select(
    col("name"),
    col("street").split_index(" ", 2).alias("number"),
    col("street").left(3).alias("begin"),
    col("zip_code").right(2).alias("end"),
    col("zip_code").lpad(7, "0").alias("padded"),
    col("street").replace("St", "Street").alias("spelt"),
)
