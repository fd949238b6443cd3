from tableapi import DataTypes
from tableapi.expressions import col, scalar

filtered_products = env.from_path("products").filter(col("product") == "pen")
result = (
    env.from_path("left_bag")
    .filter(col("y") == "b")
    .select(
        scalar(filtered_products.select(col("size"))).get("width").alias("w"),
        scalar(filtered_products.select(col("tags"))).at(1).alias("tag"),
        scalar(filtered_products.select(col("price"))).cast(DataTypes.DECIMAL(4, 1)).alias("price"),
    )
)
