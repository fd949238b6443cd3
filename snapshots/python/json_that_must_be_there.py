from tableapi import DataTypes, JsonExistsOnError, JsonQueryOnEmptyOrError, JsonValueOnEmptyOrError
from tableapi.expressions import lit

result = (
    env.from_path("left_bag")
    .select(
        lit('{"a": [1], "b": 2}').json_exists("$.a", JsonExistsOnError.ERROR).alias("e"),
        lit('{"a": [1], "b": 2}')
        .json_value("$.b", returning_type=DataTypes.INT(), on_error=JsonValueOnEmptyOrError.ERROR)
        .alias("v"),
        lit('{"a": [1], "b": 2}')
        .json_value("$.b", on_error=JsonValueOnEmptyOrError.ERROR)
        .alias("t"),
        lit('{"a": [1], "b": 2}')
        .json_query("$.a", on_error=JsonQueryOnEmptyOrError.ERROR)
        .alias("q"),
    )
    .distinct()
)
