from tableapi import DataTypes
from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .select(col("y").cast(DataTypes.STRING(collation="UTF8_LCASE")).alias("COLLATE `as`"))
    .filter(col("COLLATE `as`") == "B")
    .select(col("COLLATE `as`"), col("COLLATE `as`").collate("as").upper_case.alias("collation"))
)
