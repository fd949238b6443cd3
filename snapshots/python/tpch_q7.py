import datetime as dt

from tableapi import TimeIntervalUnit
from tableapi.expressions import col

nation = env.from_path("nation")
selected_nation = nation.select(
    col("n_nationkey").alias("n1_key"),
    col("n_name").alias("supp_nation"),
)
selected_nation_2 = nation.select(
    col("n_nationkey").alias("n2_key"),
    col("n_name").alias("cust_nation"),
)
result = (
    env.from_path("supplier")
    .join(env.from_path("lineitem"), col("s_suppkey") == col("l_suppkey"))
    .join(env.from_path("orders"), col("o_orderkey") == col("l_orderkey"))
    .join(env.from_path("customer"), col("c_custkey") == col("o_custkey"))
    .join(selected_nation, col("s_nationkey") == col("n1_key"))
    .join(selected_nation_2, col("c_nationkey") == col("n2_key"))
    .filter(
        ((col("supp_nation") == "FRANCE") & (col("cust_nation") == "GERMANY"))
        | ((col("supp_nation") == "GERMANY") & (col("cust_nation") == "FRANCE")),
    )
    .filter(col("l_shipdate").between(dt.date(1995, 1, 1), dt.date(1996, 12, 31)))
    .select(
        col("supp_nation"),
        col("cust_nation"),
        col("l_shipdate").extract(TimeIntervalUnit.YEAR).alias("l_year"),
        (col("l_extendedprice") * (1 - col("l_discount"))).alias("volume"),
    )
    .group_by(col("supp_nation"), col("cust_nation"), col("l_year"))
    .select(
        col("supp_nation"),
        col("cust_nation"),
        col("l_year"),
        col("volume").sum.alias("revenue"),
    )
    .order_by(col("supp_nation"), col("cust_nation"), col("l_year"))
)
