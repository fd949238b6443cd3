from tableapi import DataTypes
from tableapi.expressions import col, null_of, range_interval
from tableapi.window import Over

result = env.from_path("left_bag").select(
    col("x"),
    col("*")
    .count.over(Over.order_by(col("x")).preceding(range_interval(null_of(DataTypes.INT()))))
    .alias("from_nulls"),
    col("*")
    .count.over(
        Over.order_by(col("x").desc)
        .preceding(range_interval(1))
        .following(range_interval(null_of(DataTypes.INT()))),
    )
    .alias("to_nulls"),
    col("*")
    .count.over(
        Over.order_by(col("x").cast(DataTypes.DOUBLE()))
        .preceding(range_interval(float("inf")))
        .following(range_interval(float("nan"))),
    )
    .alias("numbers"),
)
