from tableapi.expressions import col, lit
from tableapi.window import Over

result = env.from_path("readings").select(
    col("n"),
    col("*").count.over(Over.order_by(col("day")).preceding(lit(9001).days)),
)
