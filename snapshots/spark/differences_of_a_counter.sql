SELECT `e`, COUNTER_DIFF(`v`) OVER (ORDER BY `e`) AS `more`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    WHERE `k` = 'b'
)
