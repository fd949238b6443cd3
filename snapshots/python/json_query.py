from tableapi import JsonQueryOnEmptyOrError, JsonQueryWrapper
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
    col("j`s").json_query("$.user").alias("user"),
    col("j`s")
    .json_query("$.user.tags", on_error=JsonQueryOnEmptyOrError.EMPTY_ARRAY)
    .alias("tags"),
    col("j`s")
    .json_query("$.user.tags[0]", wrapping_behavior=JsonQueryWrapper.CONDITIONAL_ARRAY)
    .alias("first"),
    col("j`s")
    .json_query("$[1]", wrapping_behavior=JsonQueryWrapper.UNCONDITIONAL_ARRAY)
    .alias("second"),
)
