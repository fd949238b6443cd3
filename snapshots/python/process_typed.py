from tableapi import DataTypes
from tableapi.expressions import col

result = (
    env.from_path("customers")
    .add_or_replace_columns(col("id").cast(DataTypes.BIGINT()).alias("id"))
    .process("typed_by_row", i=1, uid="u")
)
