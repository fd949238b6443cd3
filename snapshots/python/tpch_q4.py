import datetime as dt

from tableapi.expressions import col, exists, lit

orders = env.from_path("orders")
filtered_lineitem = env.from_path("lineitem").filter(
    (col("l_orderkey") == orders.outer("o_orderkey")) & (col("l_commitdate") < col("l_receiptdate"))
)
result = (
    orders.filter(
        (col("o_orderdate") >= dt.date(1993, 7, 1))
        & (col("o_orderdate") < lit(dt.date(1993, 7, 1)) + lit(3).months),
    )
    .filter(exists(filtered_lineitem))
    .group_by(col("o_orderpriority"))
    .select(col("o_orderpriority"), col("*").count.alias("order_count"))
    .order_by(col("o_orderpriority"))
)
