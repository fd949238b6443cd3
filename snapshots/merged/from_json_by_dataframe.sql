SELECT
    FROM_JSON(`y`, 'STRUCT<`a`: INT>', MAP('mode', 'PERMISSIVE')) AS `r`,
    FROM_JSON(`y`, 'MAP<STRING, INT>') AS `m`,
    GET_JSON_OBJECT(`y`, '$.a') AS `o`,
    JSON_ARRAY_LENGTH(`y`) AS `n`,
    JSON_OBJECT_KEYS(`y`) AS `k`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE JSON_OBJECT_KEYS(`y`) IS NOT NULL
