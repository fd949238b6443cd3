from tableapi import DataTypes
from tableapi.expressions import coalesce, col, null_of

result = (
    env.from_path("left_bag")
    .select(
        col("y").if_null("none").alias("i"),
        coalesce(null_of(DataTypes.INT()), col("x"), -1).alias("c"),
    )
    .distinct()
)
