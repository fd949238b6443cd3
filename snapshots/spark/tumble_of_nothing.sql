SELECT `w`.`start` AS `ws`, `EXPR$1` AS `n`
FROM (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, COUNT(1) AS `EXPR$1`
    FROM (
        SELECT `a`, `b`, CAST(`b` AS TIMESTAMP_NTZ) AS `ts`
        FROM (
            SELECT `a`, `b`
            FROM `spark_catalog`.`programs`.`nothing`
        )
    )
    GROUP BY WINDOW(`ts`, '10 minutes')
)
