import datetime as dt

from tableapi.expressions import col

result = (
    env.from_path("customer")
    .filter(col("c_mktsegment") == "BUILDING")
    .join(env.from_path("orders"), col("c_custkey") == col("o_custkey"))
    .join(env.from_path("lineitem"), col("l_orderkey") == col("o_orderkey"))
    .filter(
        (col("o_orderdate") < dt.date(1995, 3, 15)) & (col("l_shipdate") > dt.date(1995, 3, 15))
    )
    .group_by(col("l_orderkey"), col("o_orderdate"), col("o_shippriority"))
    .select(
        col("l_orderkey"),
        (col("l_extendedprice") * (1 - col("l_discount"))).sum.alias("revenue"),
        col("o_orderdate"),
        col("o_shippriority"),
    )
    .order_by(col("revenue").desc, col("o_orderdate"))
    .fetch(10)
)
