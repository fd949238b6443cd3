SELECT `w`.`end` AS `we`, `a`, `b`
FROM (
    SELECT `w`, `a`, `b`
    FROM (
        SELECT WINDOW(`ts`, '1 hour') AS `w`, `k`, `v`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
    )
    PIVOT (
        SUM(`v`)
        FOR `k` IN ('a' AS `a`, 'b' AS `b`)
    )
)
