SELECT `a`, `window_end`
FROM (
    SELECT
        `a`,
        `b`,
        `ts`,
        `window`.`start` AS `window_start`,
        `window`.`end` AS `window_end`,
        `window`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `window_time`
    FROM (
        SELECT
            `a`,
            `b`,
            `ts`,
            CAST(ROW(`window_start`, `window_end`) AS ROW<
                `start` TIMESTAMP(6) NOT NULL,
                `end` TIMESTAMP(6) NOT NULL
            >) AS `window`
        FROM TABLE(
            HOP((
                SELECT `a`, `b`, CAST(`b` AS TIMESTAMP(6)) AS `ts`
                FROM (
                    SELECT `a`, `b`
                    FROM `spark_catalog`.`programs`.`nothing`
                )
            ), DESCRIPTOR(`ts`), INTERVAL '1' HOUR, INTERVAL '2' HOUR)
        )
    )
)
