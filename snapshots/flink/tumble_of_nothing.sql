SELECT `w`.`start` AS `ws`, `EXPR$1` AS `n`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        COUNT(1) AS `EXPR$1`
    FROM TABLE(
        TUMBLE((
            SELECT `a`, `b`, CAST(`b` AS TIMESTAMP(6)) AS `ts`
            FROM (
                SELECT `a`, `b`
                FROM `spark_catalog`.`programs`.`nothing`
            )
        ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
    )
    GROUP BY `window_start`, `window_end`
)
