from tableapi import TimeIntervalUnit
from tableapi.expressions import col

result = (
    env.from_path("part")
    .filter(col("p_name").like("%green%"))
    .join(env.from_path("lineitem"), col("p_partkey") == col("l_partkey"))
    .join(env.from_path("supplier"), col("s_suppkey") == col("l_suppkey"))
    .join(
        env.from_path("partsupp"),
        (col("ps_suppkey") == col("l_suppkey")) & (col("ps_partkey") == col("l_partkey")),
    )
    .join(env.from_path("orders"), col("o_orderkey") == col("l_orderkey"))
    .join(env.from_path("nation"), col("s_nationkey") == col("n_nationkey"))
    .select(
        col("n_name").alias("nation"),
        col("o_orderdate").extract(TimeIntervalUnit.YEAR).alias("o_year"),
        (
            col("l_extendedprice") * (1 - col("l_discount"))
            - col("ps_supplycost") * col("l_quantity")
        ).alias("amount"),
    )
    .group_by(col("nation"), col("o_year"))
    .select(col("nation"), col("o_year"), col("amount").sum.alias("sum_profit"))
    .order_by(col("nation"), col("o_year").desc)
)
