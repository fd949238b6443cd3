import datetime as dt

from tableapi.expressions import col, lit, scalar

lineitem_by_l_suppkey = (
    env.from_path("lineitem")
    .filter(
        (col("l_shipdate") >= dt.date(1996, 1, 1))
        & (col("l_shipdate") < lit(dt.date(1996, 1, 1)) + lit(3).months),
    )
    .group_by(col("l_suppkey"))
    .select(
        col("l_suppkey").alias("supplier_no"),
        (col("l_extendedprice") * (1 - col("l_discount"))).sum.alias("total_revenue"),
    )
)
result = (
    env.from_path("supplier")
    .join(lineitem_by_l_suppkey, col("s_suppkey") == col("supplier_no"))
    .filter(col("total_revenue") == scalar(lineitem_by_l_suppkey.select(col("total_revenue").max)))
    .select(col("s_suppkey"), col("s_name"), col("s_address"), col("s_phone"), col("total_revenue"))
    .order_by(col("s_suppkey"))
)
