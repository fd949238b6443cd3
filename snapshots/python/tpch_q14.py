import datetime as dt
from decimal import Decimal

from tableapi.expressions import col, if_then_else, lit

result = (
    env.from_path("lineitem")
    .filter(
        (col("l_shipdate") >= dt.date(1995, 9, 1))
        & (col("l_shipdate") < lit(dt.date(1995, 9, 1)) + lit(1).month),
    )
    .join(env.from_path("part"), col("l_partkey") == col("p_partkey"))
    .select(
        (
            lit(Decimal("100.00"))
            * if_then_else(
                col("p_type").like("PROMO%"),
                col("l_extendedprice") * (1 - col("l_discount")),
                0,
            ).sum
            / (col("l_extendedprice") * (1 - col("l_discount"))).sum
        ).alias("promo_revenue"),
    )
)
