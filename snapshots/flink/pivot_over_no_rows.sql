SELECT
    `a`,
    CASE WHEN `EXPR$0` = CAST(0 AS BIGINT) THEN CAST(NULL AS BIGINT) ELSE `EXPR$1` END AS `x`
FROM (
    SELECT
        `a`,
        COUNT(1) FILTER (WHERE `b` = 'x') AS `EXPR$0`,
        COUNT(`_c2`) FILTER (WHERE `b` = 'x') AS `EXPR$1`
    FROM (
        SELECT `a`, `b`, `a` AS `_c2`
        FROM (
            SELECT `a`, `b`
            FROM `spark_catalog`.`programs`.`nothing`
        )
    )
    GROUP BY `a`
) AS `pivot`
