SELECT `EXPR$0`.`start` AS `s`, `EXPR$2` AS `total`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `EXPR$0`,
        SUM(CAST(`v` AS BIGINT)) AS `EXPR$2`
    FROM TABLE(
        HOP((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ), DESCRIPTOR(`ts`), INTERVAL '30' MINUTE, INTERVAL '1' HOUR)
    )
    GROUP BY `window_start`, `window_end`
)
