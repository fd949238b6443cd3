from tableapi import DataTypes
from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .filter(col("x") < 3)
    .distinct()
    .select(
        col("x"),
        col("y").md5.alias("md5"),
        col("y").sha2(224).alias("sha2"),
        col("y").hex.alias("hex"),
        (col("x") + 9).bin.alias("bin"),
        col("y").hex.unhex.cast(DataTypes.STRING()).alias("y"),
    )
)
