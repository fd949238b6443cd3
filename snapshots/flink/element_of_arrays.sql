SELECT `order_id`, `element`, `first`
FROM (
    SELECT
        `order_id`,
        ELEMENT(ARRAY[`status`]) AS `element`,
        ELEMENT(ARRAY_SLICE(ARRAY[`customer_id`, 7], 1, 1)) AS `first`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
)
WHERE `order_id` < 104
