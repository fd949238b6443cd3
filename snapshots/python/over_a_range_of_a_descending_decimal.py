from decimal import Decimal

from tableapi.expressions import CURRENT_RANGE, col, range_interval
from tableapi.window import Over

result = env.from_path("orders").select(
    col("order_id"),
    col("*").count.over(
        Over.order_by(col("amount").desc)
        .preceding(CURRENT_RANGE)
        .following(range_interval(Decimal("6.75"))),
    ),
)
