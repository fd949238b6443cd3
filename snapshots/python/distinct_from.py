from tableapi import DataTypes
from tableapi.expressions import col, null_of

result = (
    env.from_path("left_bag")
    .filter(col("x").is_null | (col("x") == 3))
    .select(
        col("x").is_distinct_from(3).alias("d"),
        col("y").is_not_distinct_from(null_of(DataTypes.STRING())).alias("n"),
    )
)
