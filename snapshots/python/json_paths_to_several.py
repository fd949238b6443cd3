from tableapi import DataTypes, JsonQueryWrapper
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
    col("j`s").json_query("lax $.user.tags[*]").alias("tags"),
    col("j`s")
    .json_query("$.user.tags[*]", wrapping_behavior=JsonQueryWrapper.UNCONDITIONAL_ARRAY)
    .alias("wrapped"),
    col("j`s")
    .json_query("$.user.tags", returning_type=DataTypes.ARRAY(DataTypes.STRING()))
    .alias("texts"),
    col("j`s")
    .json_query("$[-1]", wrapping_behavior=JsonQueryWrapper.CONDITIONAL_ARRAY)
    .alias("last"),
    col("j`s").json_value("$.user.tags[-1]").alias("tag"),
    col("j`s").json_exists("$.user.tags[*]").alias("has_tags"),
)
