from tableapi.expressions import col

result = env.from_path("lines").select(
    col("sku").count.distinct.where(col("quantity") >= 2).alias("d"),
    col("quantity").sum0.where(col("sku") == "nothing").alias("z"),
    (col("quantity").max.where(col("sku") == "pen") - col("quantity").min).alias("span"),
)
