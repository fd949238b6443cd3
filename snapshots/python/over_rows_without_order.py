from tableapi.expressions import col, row_interval
from tableapi.window import Over

result = (
    env.from_path("left_bag")
    .filter(col("x") == 1)
    .select(col("*").count.over(Over.partition_by(col("x")).preceding(row_interval(1))))
)
