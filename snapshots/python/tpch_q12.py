import datetime as dt

from tableapi.expressions import col, if_then_else, lit

result = (
    env.from_path("orders")
    .join(env.from_path("lineitem"), col("o_orderkey") == col("l_orderkey"))
    .filter(
        col("l_shipmode").in_("MAIL", "SHIP")
        & (col("l_commitdate") < col("l_receiptdate"))
        & (col("l_shipdate") < col("l_commitdate"))
        & (col("l_receiptdate") >= dt.date(1994, 1, 1))
        & (col("l_receiptdate") < lit(dt.date(1994, 1, 1)) + lit(1).year),
    )
    .group_by(col("l_shipmode"))
    .select(
        col("l_shipmode"),
        if_then_else(
            col("o_orderpriority").in_("1-URGENT", "2-HIGH"),
            1,
            0,
        ).sum.alias("high_line_count"),
        if_then_else(
            col("o_orderpriority").in_("1-URGENT", "2-HIGH"),
            0,
            1,
        ).sum.alias("low_line_count"),
    )
    .order_by(col("l_shipmode"))
)
