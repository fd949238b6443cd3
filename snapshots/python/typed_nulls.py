from tableapi import DataTypes
from tableapi.expressions import col, null_of

result = (
    env.from_path("lines")
    .filter(col("sku") == "cap")
    .select(
        null_of(DataTypes.INT()).alias("i"),
        null_of(DataTypes.DECIMAL(10, 2)).alias("m"),
        null_of(DataTypes.ARRAY(DataTypes.STRING())).alias("a"),
        null_of(DataTypes.ROW([DataTypes.FIELD("x y", DataTypes.INT())])).alias("r"),
        (null_of(DataTypes.INT()) == 1).alias("e"),
    )
)
