SELECT `x`, `field_0`, `r`.`start` AS `s`, `p`, `q`
FROM (
    SELECT
        `x`,
        `y`,
        `rows`,
        `field_0`,
        `r`,
        `p` - 1 AS `p`,
        CASE WHEN `p` IS NOT NULL THEN CAST(ROW(`field_0_0`, `field_1`) AS ROW<`x` INT, `start` STRING>) END AS `q`
    FROM (
        SELECT
            `x`,
            `y`,
            `rows`,
            `field_0` - 1 AS `field_0`,
            CAST(ROW(`field_0_0`, `field_1`) AS ROW<`x` INT, `start` STRING NOT NULL>) AS `r`
        FROM (
            SELECT `x`, `y`, ARRAY[CAST(ROW(`x`, 'a') AS ROW<`x` INT, `start` STRING NOT NULL>)] AS `rows`
            FROM (
                SELECT `x`, `y`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
                WHERE `x` >= 2
            )
        )
        CROSS JOIN UNNEST(`rows`) WITH ORDINALITY AS `lateral`(`field_0_0`, `field_1`, `field_0`)
    )
    LEFT OUTER JOIN UNNEST(`rows`) WITH ORDINALITY AS `lateral`(`field_0_0`, `field_1`, `p`) ON TRUE
)
