from tableapi import DataTypes
from tableapi.expressions import call, col, null_of

result = (
    env.from_path("customers")
    .select(
        call("mask", col("zip_code"), "X", "x", "#").alias("zip"),
        call("mask", col("street"), null_of(DataTypes.STRING()), "x", "n", "?").alias("s"),
    )
    .distinct()
)
