from tableapi import DataTypes
from tableapi.expressions import col, lit
from tableapi.window import Session

result = (
    env.from_path("events")
    .window(Session.with_gap(lit(1).day).on(col("day").cast(DataTypes.TIMESTAMP())).alias("w"))
    .group_by("k" + col("k"), col("w"))
    .select(
        ("k" + col("k")).alias("kk"),
        col("w").end.alias("we"),
        col("e").count.distinct.alias("n"),
    )
)
