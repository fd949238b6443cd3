SELECT `ws`, `b`, `n`
FROM (
    SELECT `w`.`start` AS `ws`, `EXPR$1` AS `b`, `EXPR$2` AS `n`
    FROM (
        SELECT
            CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
            SUM(CAST(`v` AS BIGINT)) FILTER (WHERE `k` = 'b') AS `EXPR$1`,
            COUNT(`e`) AS `EXPR$2`
        FROM TABLE(
            HOP((
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            ), DESCRIPTOR(`ts`), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)
        )
        GROUP BY `window_start`, `window_end`
    )
)
WHERE `b` IS NOT NULL
