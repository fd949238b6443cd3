import datetime as dt

from tableapi.expressions import col, lit

result = (
    env.from_path("customer")
    .join(env.from_path("orders"), col("c_custkey") == col("o_custkey"))
    .join(env.from_path("lineitem"), col("l_orderkey") == col("o_orderkey"))
    .filter(
        (col("o_orderdate") >= dt.date(1993, 10, 1))
        & (col("o_orderdate") < lit(dt.date(1993, 10, 1)) + lit(3).months)
        & (col("l_returnflag") == "R"),
    )
    .join(env.from_path("nation"), col("c_nationkey") == col("n_nationkey"))
    .group_by(
        col("c_custkey"),
        col("c_name"),
        col("c_acctbal"),
        col("c_phone"),
        col("n_name"),
        col("c_address"),
        col("c_comment"),
    )
    .select(
        col("c_custkey"),
        col("c_name"),
        (col("l_extendedprice") * (1 - col("l_discount"))).sum.alias("revenue"),
        col("c_acctbal"),
        col("n_name"),
        col("c_address"),
        col("c_phone"),
        col("c_comment"),
    )
    .order_by(col("revenue").desc)
    .fetch(20)
)
