SELECT `id`, `customer_id-BIGINT`, `customer`, `order`
FROM `one_match_join`(
    `customer` => TABLE(
        SELECT
            CAST(`id` AS BIGINT) AS `id`,
            `name`,
            `gender`,
            `has_newsletter`,
            `date_of_birth`,
            `street`,
            `zip_code`,
            `city`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM `spark_catalog`.`programs`.`customers`
        )
    ) PARTITION BY (`id`),
    `orders` => TABLE(
        SELECT
            `order_id`,
            `customer_id`,
            `ordered_at`,
            CAST(`amount` AS DOUBLE) AS `amount`,
            `discount`,
            `status`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
    ) PARTITION BY (CAST(`customer_id` AS BIGINT))
)
