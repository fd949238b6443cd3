SELECT DISTINCT `e`, `v`, `t`, `q`
FROM (
    SELECT
        JSON_EXISTS('{"a": [1], "b": 2}', '$.a' ERROR ON ERROR) AS `e`,
        JSON_VALUE('{"a": [1], "b": 2}', '$.b' RETURNING INT ERROR ON ERROR) AS `v`,
        JSON_VALUE('{"a": [1], "b": 2}', '$.b' ERROR ON ERROR) AS `t`,
        JSON_QUERY('{"a": [1], "b": 2}', '$.a' ERROR ON ERROR) AS `q`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
