SELECT `EXPR$0` AS `lo`, `EXPR$1` AS `hi`, `EXPR$2` AS `mean`, `EXPR$3` AS `n`
FROM (
    SELECT
        MIN(`amount`) AS `EXPR$0`,
        MAX(`amount`) AS `EXPR$1`,
        AVG(`amount`) AS `EXPR$2`,
        COUNT(`amount`) AS `EXPR$3`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
)
