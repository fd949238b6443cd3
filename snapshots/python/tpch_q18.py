from tableapi.expressions import col

lineitem = env.from_path("lineitem")
selected_lineitem = (
    lineitem.group_by(col("l_orderkey"))
    .select(col("l_orderkey"), col("l_quantity").sum.alias("total"))
    .filter(col("total") > 300)
    .select(col("l_orderkey"))
)
result = (
    env.from_path("customer")
    .join(env.from_path("orders"), col("c_custkey") == col("o_custkey"))
    .filter(col("o_orderkey").in_(selected_lineitem))
    .join(lineitem, col("o_orderkey") == col("l_orderkey"))
    .group_by(
        col("c_name"),
        col("c_custkey"),
        col("o_orderkey"),
        col("o_orderdate"),
        col("o_totalprice"),
    )
    .select(
        col("c_name"),
        col("c_custkey"),
        col("o_orderkey"),
        col("o_orderdate"),
        col("o_totalprice"),
        col("l_quantity").sum.alias("sum(l_quantity)"),
    )
    .order_by(col("o_totalprice").desc, col("o_orderdate"))
    .fetch(100)
)
