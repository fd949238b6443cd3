from tableapi import JsonOnNull
from tableapi.expressions import col, json_object

result = (
    env.from_path("left_bag")
    .filter(col("x") == 3)
    .select(
        json_object(
            JsonOnNull.NULL,
            'a"`b',
            json_object(JsonOnNull.NULL, "y", col("y")),
            "absent",
            json_object(JsonOnNull.ABSENT, "x", col("x"), "y", col("y")),
        ).alias("j"),
        json_object(
            JsonOnNull.ABSENT,
            "o",
            json_object(JsonOnNull.NULL, "y", col("y")),
            "y",
            col("y"),
        ).alias("k"),
    )
)
