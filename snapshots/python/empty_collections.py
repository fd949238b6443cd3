from tableapi import DataTypes
from tableapi.expressions import array, col, map_

result = (
    env.from_path("lines")
    .filter(col("sku") == "cap")
    .select(
        array().cast(DataTypes.ARRAY(DataTypes.INT())).alias("a"),
        map_().cast(DataTypes.MAP(DataTypes.STRING(), DataTypes.INT())).alias("m"),
    )
)
