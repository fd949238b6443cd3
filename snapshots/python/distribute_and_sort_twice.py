from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .distribute_by(col("x"))
    .sort_within_partitions(col("x"), col("y"))
    .distribute_by(col("y"))
    .sort_within_partitions(col("x").desc)
    .group_by(col("y"))
    .select(col("y"), col("x").max.alias("most"))
)
