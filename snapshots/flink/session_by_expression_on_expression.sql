SELECT `EXPR$0` AS `kk`, `w`.`end` AS `we`, `EXPR$2` AS `n`
FROM (
    SELECT
        `EXPR$7` AS `EXPR$0`,
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
                CAST(`day` AS TIMESTAMP(6)) AS `EXPR$6`,
                CONCAT('k', `k`) AS `EXPR$7`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
        ) PARTITION BY (`EXPR$7`), DESCRIPTOR(`EXPR$6`), INTERVAL '1' DAY)
    )
    GROUP BY `EXPR$7`, `window_start`, `window_end`
)
