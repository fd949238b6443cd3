SELECT `v`, `w`.`start` AS `ws`, `w`.`end` AS `we`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `w`
    FROM (
        SELECT
            `e`,
            `k`,
            `v`,
            `ts`,
            `instant`,
            `day`,
            CAST(ROW(`window_start`, `window_end`) AS ROW<
                `start` TIMESTAMP(6) NOT NULL,
                `end` TIMESTAMP(6) NOT NULL
            >) AS `w`
        FROM TABLE(
            HOP((
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            ), DESCRIPTOR(`ts`), INTERVAL '30' MINUTE, INTERVAL '1' HOUR)
        )
    )
    WHERE `v` > 5
)
