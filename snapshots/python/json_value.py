from tableapi import DataTypes, JsonValueOnEmptyOrError
from tableapi.expressions import col

result = env.from_elements(
    [
        (1, '{"user": {"name": "Ada", "tags": ["a", "b"]}, "total": 7}'),
        (2, '{"user": {"name": null}, "total": "12"}'),
        (3, "[1, 2]"),
        (4, "no JSON"),
        (5, None),
    ],
    ["id", "j`s"],
).select(
    col("id"),
    col("j`s").json_value("$.user.name").alias("name"),
    col("j`s")
    .json_value("$.user.name", on_error=JsonValueOnEmptyOrError.DEFAULT, default_on_error="nobody")
    .alias("or_nobody"),
    col("j`s").json_value("$.total", returning_type=DataTypes.INT()).alias("total"),
    col("j`s").json_value("$['total']", returning_type=DataTypes.DOUBLE()).alias("precise"),
)
