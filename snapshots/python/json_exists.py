from tableapi import JsonExistsOnError
from tableapi.expressions import col

result = (
    env.from_elements(
        [
            (1, '{"user": {"name": "Ada", "tags": ["a", "b"]}, "total": 7}'),
            (2, '{"user": {"name": null}, "total": "12"}'),
            (3, "[1, 2]"),
            (4, "no JSON"),
            (5, None),
        ],
        ["id", "j`s"],
    )
    .filter(col("j`s").json_exists("$.user.name") | (col("id") > 2))
    .select(
        col("id"),
        col("j`s").json_exists("$[0]").alias("array"),
        col("j`s").json_exists("$.user", JsonExistsOnError.UNKNOWN).alias("user"),
        col("j`s").json_exists("$.user", JsonExistsOnError.TRUE).alias("always"),
    )
)
