SELECT `x`, `field_0`, `r`.`start` AS `s`, `p`, `q`
FROM (
    SELECT `x`, `y`, `rows`, `field_0`, `r`, `p`, `q`
    FROM (
        SELECT `x`, `y`, `rows`, `field_0`, `r`
        FROM (
            SELECT `x`, `y`, ARRAY(NAMED_STRUCT('x', `x`, 'start', 'a')) AS `rows`
            FROM (
                SELECT `x`, `y`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
                WHERE `x` >= 2
            )
        )
        INNER JOIN LATERAL POSEXPLODE(`rows`) AS `lateral`(`field_0`, `r`)
    )
    INNER JOIN LATERAL POSEXPLODE_OUTER(`rows`) AS `lateral`(`p`, `q`)
)
