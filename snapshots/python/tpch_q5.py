import datetime as dt

from tableapi.expressions import col, lit

result = (
    env.from_path("customer")
    .join(env.from_path("orders"), col("c_custkey") == col("o_custkey"))
    .join(env.from_path("lineitem"), col("l_orderkey") == col("o_orderkey"))
    .join(
        env.from_path("supplier"),
        (col("l_suppkey") == col("s_suppkey")) & (col("c_nationkey") == col("s_nationkey")),
    )
    .join(env.from_path("nation"), col("s_nationkey") == col("n_nationkey"))
    .join(env.from_path("region"), col("n_regionkey") == col("r_regionkey"))
    .filter(
        (col("r_name") == "ASIA")
        & (col("o_orderdate") >= dt.date(1994, 1, 1))
        & (col("o_orderdate") < lit(dt.date(1994, 1, 1)) + lit(1).year),
    )
    .group_by(col("n_name"))
    .select(col("n_name"), (col("l_extendedprice") * (1 - col("l_discount"))).sum.alias("revenue"))
    .order_by(col("revenue").desc)
)
