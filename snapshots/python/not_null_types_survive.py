from decimal import Decimal

from tableapi import DataTypes
from tableapi.expressions import col

result = env.from_elements(
    [(1, "a", Decimal("1.00"))],
    DataTypes.ROW(
        [
            DataTypes.FIELD("i", DataTypes.INT(nullable=False)),
            DataTypes.FIELD("s", DataTypes.STRING(nullable=False)),
            DataTypes.FIELD("m", DataTypes.DECIMAL(10, 2, nullable=False)),
        ],
    ),
).select((col("i") + 1).alias("i"), col("s").upper_case.alias("s"), (col("m") * 2).alias("m"))
