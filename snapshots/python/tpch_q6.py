import datetime as dt
from decimal import Decimal

from tableapi.expressions import col, lit

result = (
    env.from_path("lineitem")
    .filter(
        (col("l_shipdate") >= dt.date(1994, 1, 1))
        & (col("l_shipdate") < lit(dt.date(1994, 1, 1)) + lit(1).year)
        & col("l_discount").between(Decimal("0.05"), Decimal("0.07"))
        & (col("l_quantity") < 24),
    )
    .select((col("l_extendedprice") * col("l_discount")).sum.alias("revenue"))
)
