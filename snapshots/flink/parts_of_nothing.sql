SELECT DISTINCT `v`, `j`
FROM (
    SELECT JSON_VALUE('{}', '$.a') AS `v`, JSON_STRING(PARSE_JSON('{}')) AS `j`
    FROM (
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    )
)
