from tableapi.expressions import col, lit

result = env.from_path("lines").select(
    col("sku").list_agg("|").distinct.within_group(col("sku").desc).alias("skus"),
    col("sku").list_agg("|").within_group(lit(1)).where(col("line_order") == 101).alias("one"),
)
