SELECT
    `x`,
    CASE WHEN `EXPR$0` = CAST(0 AS BIGINT) THEN CAST(NULL AS BIGINT) ELSE `EXPR$1` END AS `yes`,
    CASE WHEN `EXPR$2` = CAST(0 AS BIGINT) THEN CAST(NULL AS BIGINT) ELSE `EXPR$3` END AS `no`
FROM (
    SELECT
        `x`,
        COUNT(1) FILTER (WHERE `_c1` = TRUE) AS `EXPR$0`,
        SUM(CAST(`_c2` AS BIGINT)) FILTER (WHERE `_c1` = TRUE) AS `EXPR$1`,
        COUNT(1) FILTER (WHERE `_c1` = FALSE) AS `EXPR$2`,
        SUM(CAST(`_c2` AS BIGINT)) FILTER (WHERE `_c1` = FALSE) AS `EXPR$3`
    FROM (
        SELECT `x`, `x` = 1 AS `_c1`, `x` AS `_c2`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
    )
    GROUP BY `x`
) AS `pivot`
