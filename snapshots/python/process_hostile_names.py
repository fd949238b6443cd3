from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .select(col("x").alias("a`b"), col("y").alias("Partition By"), col("y").alias("count"))
    .partition_by(col("Partition By"), col("count"), col("a`b"))
    .process("`by*set`", i=1, uid="by-set")
)
