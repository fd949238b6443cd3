from tableapi import DataTypes
from tableapi.expressions import col, cumulative_windows, explode

result = (
    env.from_path("nothing")
    .add_columns(col("b").cast(DataTypes.TIMESTAMP()).alias("ts"))
    .join_lateral(explode(cumulative_windows(col("ts"), "5 minutes", "10 minutes")).alias("w"))
    .group_by(col("w"))
    .select(col("w"), col("a").sum.alias("s"))
)
