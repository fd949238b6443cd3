SELECT
    `anonymous`,
    CASE WHEN `EXPR$0` = CAST(0 AS BIGINT) THEN CAST(NULL AS DECIMAL(10, 2)) ELSE `EXPR$1` END AS `p_most`,
    CASE WHEN `EXPR$0` = CAST(0 AS BIGINT) THEN CAST(NULL AS BIGINT) ELSE `EXPR$0` END AS `p_n`,
    CASE WHEN `EXPR$2` = CAST(0 AS BIGINT) THEN CAST(NULL AS DECIMAL(10, 2)) ELSE `EXPR$3` END AS `none_most`,
    CASE WHEN `EXPR$2` = CAST(0 AS BIGINT) THEN CAST(NULL AS BIGINT) ELSE `EXPR$2` END AS `none_n`
FROM (
    SELECT
        `anonymous`,
        COUNT(1) FILTER (WHERE `status` = 'paid') AS `EXPR$0`,
        MAX(`amount`) FILTER (WHERE `status` = 'paid') AS `EXPR$1`,
        COUNT(1) FILTER (WHERE `status` IS NULL) AS `EXPR$2`,
        MAX(`amount`) FILTER (WHERE `status` IS NULL) AS `EXPR$3`
    FROM (
        SELECT `customer_id` IS NULL AS `anonymous`, `status`, `amount`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
    )
    GROUP BY `anonymous`
) AS `pivot ``most`` ``n```
