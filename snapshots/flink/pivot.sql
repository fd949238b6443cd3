SELECT
    `customer_id`,
    CASE WHEN `EXPR$0` = CAST(0 AS BIGINT) THEN CAST(NULL AS DECIMAL(20, 2)) ELSE `EXPR$1` END AS `paid`,
    CASE WHEN `EXPR$2` = CAST(0 AS BIGINT) THEN CAST(NULL AS DECIMAL(20, 2)) ELSE `EXPR$3` END AS `open`
FROM (
    SELECT
        `customer_id`,
        COUNT(1) FILTER (WHERE `status` = 'paid') AS `EXPR$0`,
        CAST(SUM(`amount`) FILTER (WHERE `status` = 'paid') AS DECIMAL(20, 2)) AS `EXPR$1`,
        COUNT(1) FILTER (WHERE `status` = 'open') AS `EXPR$2`,
        CAST(SUM(`amount`) FILTER (WHERE `status` = 'open') AS DECIMAL(20, 2)) AS `EXPR$3`
    FROM (
        SELECT `customer_id`, `status`, `amount`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
    )
    GROUP BY `customer_id`
) AS `pivot`
