from tableapi import DataTypes
from tableapi.expressions import col, greatest, least, null_of

result = env.from_path("left_bag").select(
    col("x"),
    greatest(col("x"), 2).alias("at_least_2"),
    least(col("x"), 2.5).alias("at_most"),
    greatest(col("y"), "aa").alias("text"),
    greatest(null_of(DataTypes.INT()), col("x")).alias("x_again"),
)
