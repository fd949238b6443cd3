SELECT `w`.`start` AS `ws`, `EXPR$1` AS `s`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        SUM(CAST(`n` AS BIGINT)) AS `EXPR$1`
    FROM TABLE(
        TUMBLE((
            SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
            FROM `spark_catalog`.`programs`.`readings`
        ), DESCRIPTOR(`at`), INTERVAL '7' DAY)
    )
    GROUP BY `window_start`, `window_end`
)
