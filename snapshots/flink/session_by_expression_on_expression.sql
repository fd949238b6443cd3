SELECT `EXPR$0` AS `kk`, `w`.`end` AS `we`, `EXPR$2` AS `n`
FROM (
    SELECT
        `window_key_1` AS `EXPR$0`,
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        COUNT(DISTINCT `e`) AS `EXPR$2`
    FROM TABLE(
        SESSION((
            SELECT
                `e`,
                `k`,
                `v`,
                `ts`,
                `instant`,
                `day`,
                CAST(`day` AS TIMESTAMP(6)) AS `window_key_0`,
                CONCAT('k', `k`) AS `window_key_1`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
        ) PARTITION BY (`window_key_1`), DESCRIPTOR(`window_key_0`), INTERVAL '1' DAY)
    )
    GROUP BY `window_key_1`, `window_start`, `window_end`
)
