from tableapi import DataTypes
from tableapi.expressions import call, col

result = env.from_path("products").select(
    call(
        "transform",
        col("tags"),
        lambda tag, i: col("product") + tag + i.cast(DataTypes.STRING()),
    ).alias("tags"),
)
