import datetime as dt
from decimal import Decimal

from tableapi.expressions import col, lit, scalar

partsupp = env.from_path("partsupp")
selected_part = env.from_path("part").filter(col("p_name").like("forest%")).select(col("p_partkey"))
lineitem_summary = (
    env.from_path("lineitem")
    .filter(
        (col("l_partkey") == partsupp.outer("ps_partkey"))
        & (col("l_suppkey") == partsupp.outer("ps_suppkey"))
        & (col("l_shipdate") >= dt.date(1994, 1, 1))
        & (col("l_shipdate") < lit(dt.date(1994, 1, 1)) + lit(1).year),
    )
    .select(lit(Decimal("0.5")) * col("l_quantity").sum)
)
selected_partsupp = (
    partsupp.filter(col("ps_partkey").in_(selected_part))
    .filter(col("ps_availqty") > scalar(lineitem_summary))
    .select(col("ps_suppkey"))
)
result = (
    env.from_path("supplier")
    .filter(col("s_suppkey").in_(selected_partsupp))
    .join(env.from_path("nation"), col("s_nationkey") == col("n_nationkey"))
    .filter(col("n_name") == "CANADA")
    .select(col("s_name"), col("s_address"))
    .order_by(col("s_name"))
)
