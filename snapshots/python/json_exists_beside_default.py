from tableapi import DataTypes, JsonValueOnEmptyOrError
from tableapi.expressions import col, lit

result = (
    env.from_path("left_bag")
    .select(
        col("y"),
        lit("[1]").json_exists("$[0]").alias("exists"),
        lit("[1]")
        .json_value(
            "$[1]",
            returning_type=DataTypes.INT(),
            on_error=JsonValueOnEmptyOrError.DEFAULT,
            default_on_error=0,
        )
        .alias("v"),
    )
    .filter(col("y") == "b")
    .distinct()
)
