from tableapi.expressions import col, exists

lineitem = env.from_path("lineitem")
filtered_lineitem = lineitem.filter(
    (col("l_orderkey") == lineitem.outer("l_orderkey"))
    & (col("l_suppkey") != lineitem.outer("l_suppkey")),
)
result = (
    env.from_path("supplier")
    .join(lineitem, col("s_suppkey") == col("l_suppkey"))
    .filter(col("l_receiptdate") > col("l_commitdate"))
    .join(env.from_path("orders"), col("o_orderkey") == col("l_orderkey"))
    .filter(col("o_orderstatus") == "F")
    .join(env.from_path("nation"), col("s_nationkey") == col("n_nationkey"))
    .filter(col("n_name") == "SAUDI ARABIA")
    .filter(
        exists(filtered_lineitem)
        & ~exists(filtered_lineitem.filter(col("l_receiptdate") > col("l_commitdate"))),
    )
    .group_by(col("s_name"))
    .select(col("s_name"), col("*").count.alias("numwait"))
    .order_by(col("numwait").desc, col("s_name"))
    .fetch(100)
)
