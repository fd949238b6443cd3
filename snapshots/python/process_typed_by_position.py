from tableapi import DataTypes
from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .add_or_replace_columns(col("x").cast(DataTypes.BIGINT()).alias("x"))
    .process("typed_by_row", i=2)
)
