from tableapi import DataTypes
from tableapi.expressions import coalesce, col, if_then_else, null_of

result = env.from_path("left_bag").select(
    col("x"),
    if_then_else(col("x") > 1, "many", "one").alias("size"),
    if_then_else(col("y").is_not_null, col("y"), "none").alias("name"),
    col("x").null_if(2).alias("not_two"),
    coalesce(col("x"), 0).alias("number"),
    col("y").is_not_distinct_from(null_of(DataTypes.STRING())).alias("is_missing"),
)
