from tableapi import DataTypes
from tableapi.expressions import col, descriptor

result = (
    env.from_path("events")
    .select(col("k"), col("day").cast(DataTypes.TIMESTAMP()).alias("at"))
    .filter(col("k") != "")
    .partition_by(col("k"))
    .process("count_with_timeout", on_time=descriptor("at"))
)
