from tableapi import JsonOnNull
from tableapi.expressions import col, concat, json_array, json_object, json_string

result = (
    env.from_path("left_bag")
    .filter(col("x") == 3)
    .select(
        json_array(
            JsonOnNull.ABSENT,
            json_array(JsonOnNull.NULL, col("y")),
            json_object(JsonOnNull.NULL, "y", col("y")),
        ).alias("a"),
        json_object(
            JsonOnNull.ABSENT,
            "a",
            json_array(JsonOnNull.ABSENT, col("x"), col("y")),
            "j",
            concat('{"b": 1, "a": [', col("x"), "]}").parse_json(),
        ).alias("o"),
        json_string(col("y")).alias("no_text"),
        json_array(JsonOnNull.ABSENT, col("x")).alias("array"),
        json_string("[3]").json_unquote().alias("unquoted"),
    )
)
