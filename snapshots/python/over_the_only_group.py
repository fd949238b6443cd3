from tableapi.expressions import col
from tableapi.window import Over

result = env.from_path("nothing").select(
    col("a").count.sum.over(Over.partition_by()),
    col("a").max.count.over(Over.partition_by()),
)
