from tableapi import DataTypes
from tableapi.expressions import col, row

result = (
    env.from_path("lines")
    .filter(col("sku") == "pad")
    .select(
        row(col("quantity"), col("sku"))
        .cast(
            DataTypes.ROW(
                [
                    DataTypes.FIELD("n", DataTypes.BIGINT()),
                    DataTypes.FIELD("t x", DataTypes.STRING()),
                ],
            ),
        )
        .alias("r"),
    )
    .select(col("r").get("n"), col("r").get("t x").alias("t"))
)
