SELECT
    `status`,
    CASE WHEN `EXPR$0` = CAST(0 AS BIGINT) THEN CAST(NULL AS BIGINT) ELSE `EXPR$1` END AS `one`,
    CASE WHEN `EXPR$2` = CAST(0 AS BIGINT) THEN CAST(NULL AS BIGINT) ELSE `EXPR$3` END AS `two`
FROM (
    SELECT
        `status`,
        COUNT(1) FILTER (WHERE `customer_id` = 1) AS `EXPR$0`,
        SUM(`high`) FILTER (WHERE `customer_id` = 1) AS `EXPR$1`,
        COUNT(1) FILTER (WHERE `customer_id` = 2) AS `EXPR$2`,
        SUM(`high`) FILTER (WHERE `customer_id` = 2) AS `EXPR$3`
    FROM (
        SELECT `status`, `customer_id`, `high`
        FROM (
            SELECT
                `customer_id`,
                `status`,
                CASE WHEN `EXPR$0` = CAST(0 AS BIGINT) THEN CAST(NULL AS BIGINT) ELSE `EXPR$0` END AS `high`
            FROM (
                SELECT `customer_id`, `status`, COUNT(1) FILTER (WHERE `_c2` = TRUE) AS `EXPR$0`
                FROM (
                    SELECT `customer_id`, `status`, `amount` > CAST(6 AS DECIMAL(10, 2)) AS `_c2`
                    FROM (
                        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
                        FROM `spark_catalog`.`programs`.`orders`
                    )
                )
                GROUP BY `customer_id`, `status`
            ) AS `pivot`
        )
    )
    GROUP BY `status`
) AS `pivot`
