from tableapi.expressions import col, lit
from tableapi.window import Over

result = env.from_path("customers").select(
    col("id"),
    col("*").count.over(Over.order_by(col("date_of_birth")).preceding(lit(2).days)),
)
