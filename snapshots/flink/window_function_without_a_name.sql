SELECT `EXPR$1`, `EXPR$2`
FROM (
    SELECT `EXPR$0`.`start` AS `EXPR$1`, `EXPR$2`
    FROM (
        SELECT
            CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `EXPR$0`,
            MAX(`amount`) AS `EXPR$2`
        FROM TABLE(
            HOP((
                SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
                FROM `spark_catalog`.`programs`.`orders`
            ), DESCRIPTOR(`ordered_at`), INTERVAL '182' DAY(3), INTERVAL '364' DAY(3))
        )
        GROUP BY `window_start`, `window_end`
    )
)
WHERE `EXPR$2` > CAST(50 AS DECIMAL(10, 2))
