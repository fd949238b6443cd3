from tableapi import TimeIntervalUnit
from tableapi.expressions import col

result = (
    env.from_path("orders")
    .group_by(col("ordered_at").floor(TimeIntervalUnit.MONTH).alias("month"))
    .select(col("month"), col("*").count.alias("orders"))
)
