from tableapi import DataTypes
from tableapi.expressions import col, lit

result = (
    env.from_path("lines")
    .filter(col("sku") == "pad")
    .select(
        col("quantity").cast(DataTypes.STRING()).alias("s"),
        lit("12").cast(DataTypes.INT()).alias("i"),
        lit("2024-02-29").cast(DataTypes.DATE()).alias("d"),
        lit("2024-02-29 01:02:03").cast(DataTypes.TIMESTAMP()).alias("t"),
        (col("quantity") / 3).cast(DataTypes.DECIMAL(6, 1)).alias("m"),
        (col("quantity") > 1).cast(DataTypes.INT()).alias("b"),
        col("quantity").cast(DataTypes.TINYINT()).alias("y"),
    )
)
