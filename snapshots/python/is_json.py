from tableapi import JsonType
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
    col("j`s").is_json().alias("json"),
    col("j`s").is_json(JsonType.OBJECT).alias("object"),
    col("j`s").is_json(JsonType.ARRAY).alias("array"),
    (~col("j`s").is_json(JsonType.SCALAR)).alias("not_scalar"),
)
