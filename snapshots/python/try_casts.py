from tableapi import DataTypes
from tableapi.expressions import col, lit

result = (
    env.from_path("lines")
    .filter(col("sku") == "pad")
    .select(
        lit("x").try_cast(DataTypes.INT()).alias("i"),
        lit("1e3").try_cast(DataTypes.DOUBLE()).alias("d"),
        lit("30.02.2024").try_cast(DataTypes.DATE()).alias("t"),
        lit(300).try_cast(DataTypes.TINYINT()).alias("y"),
    )
)
