from tableapi import DataTypes
from tableapi.expressions import col, row_interval
from tableapi.window import Slide

result = (
    env.from_path("nothing")
    .add_columns(col("b").cast(DataTypes.DATE()).alias("EXPR$0"))
    .window(Slide.over(row_interval(4)).every(row_interval(2)).on(col("EXPR$0")).alias("EXPR$1"))
    .group_by(col("EXPR$1"), col("a"))
    .select(col("a"), col("*").count)
)
