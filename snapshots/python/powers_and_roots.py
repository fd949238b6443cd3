from tableapi import DataTypes
from tableapi.expressions import col, lit

result = (
    env.from_path("readings")
    .filter(col("n") < 3)
    .select(
        col("n"),
        col("level").abs.alias("size"),
        col("tiny").cast(DataTypes.INT()).abs.sqrt.round(2).alias("root"),
        col("n").power(3).alias("cube"),
        col("n").power(-1).alias("inverse"),
        (lit(5).days * -1).abs.alias("length"),
    )
)
