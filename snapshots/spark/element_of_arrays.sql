SELECT `order_id`, `element`, `first`
FROM (
    SELECT
        `order_id`,
        TRANSFORM(
            ARRAY(ARRAY(`status`)),
            `given` -> CASE
                WHEN CARDINALITY(`given`) > 1 THEN RAISE_ERROR('ELEMENT: the array has more than one element.')
                ELSE GET(`given`, 0)
            END
        )[0] AS `element`,
        TRANSFORM(
            ARRAY(SLICE(ARRAY(`customer_id`, 7), 1, 1)),
            `given` -> CASE
                WHEN CARDINALITY(`given`) > 1 THEN RAISE_ERROR('ELEMENT: the array has more than one element.')
                ELSE GET(`given`, 0)
            END
        )[0] AS `first`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
)
WHERE `order_id` < 104
