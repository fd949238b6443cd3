import datetime as dt

from tableapi import TimeIntervalUnit
from tableapi.expressions import col, if_then_else

nation = env.from_path("nation")
selected_nation = nation.select(col("n_nationkey").alias("n2_key"), col("n_name").alias("nation"))
result = (
    env.from_path("part")
    .filter(col("p_type") == "ECONOMY ANODIZED STEEL")
    .join(env.from_path("lineitem"), col("p_partkey") == col("l_partkey"))
    .join(env.from_path("supplier"), col("s_suppkey") == col("l_suppkey"))
    .join(env.from_path("orders"), col("l_orderkey") == col("o_orderkey"))
    .filter(col("o_orderdate").between(dt.date(1995, 1, 1), dt.date(1996, 12, 31)))
    .join(env.from_path("customer"), col("o_custkey") == col("c_custkey"))
    .join(nation, col("c_nationkey") == col("n_nationkey"))
    .join(env.from_path("region"), col("n_regionkey") == col("r_regionkey"))
    .filter(col("r_name") == "AMERICA")
    .join(selected_nation, col("s_nationkey") == col("n2_key"))
    .select(
        col("o_orderdate").extract(TimeIntervalUnit.YEAR).alias("o_year"),
        (col("l_extendedprice") * (1 - col("l_discount"))).alias("volume"),
        col("nation"),
    )
    .group_by(col("o_year"))
    .select(
        col("o_year"),
        (if_then_else(col("nation") == "BRAZIL", col("volume"), 0).sum / col("volume").sum).alias(
            "mkt_share"
        ),
    )
    .order_by(col("o_year"))
)
