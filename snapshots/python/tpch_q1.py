import datetime as dt

from tableapi.expressions import col, lit

result = (
    env.from_path("lineitem")
    .filter(col("l_shipdate") <= lit(dt.date(1998, 12, 1)) - lit(90).days)
    .group_by(col("l_returnflag"), col("l_linestatus"))
    .select(
        col("l_returnflag"),
        col("l_linestatus"),
        col("l_quantity").sum.alias("sum_qty"),
        col("l_extendedprice").sum.alias("sum_base_price"),
        (col("l_extendedprice") * (1 - col("l_discount"))).sum.alias("sum_disc_price"),
        (col("l_extendedprice") * (1 - col("l_discount")) * (1 + col("l_tax"))).sum.alias(
            "sum_charge"
        ),
        col("l_quantity").avg.alias("avg_qty"),
        col("l_extendedprice").avg.alias("avg_price"),
        col("l_discount").avg.alias("avg_disc"),
        col("*").count.alias("count_order"),
    )
    .order_by(col("l_returnflag"), col("l_linestatus"))
)
