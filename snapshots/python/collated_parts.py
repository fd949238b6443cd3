from tableapi import DataTypes
from tableapi.expressions import col

result = (
    env.from_path("products")
    .filter(col("product") == "pen")
    .select(
        col("tags").cast(DataTypes.ARRAY(DataTypes.STRING(collation="UTF8_LCASE"))).alias("tags")
    )
    .select(col("tags").array_contains("BLUE").alias("blue"), col("tags").at(1).alias("first"))
    .filter(col("first") == "Blue")
)
