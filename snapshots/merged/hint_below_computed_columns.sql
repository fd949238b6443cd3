SELECT `orders`.`order_id`, `customers`.`shouted`
FROM `spark_catalog`.`programs`.`orders`
INNER JOIN (
    SELECT `id`, UPPER(`name`) AS `shouted`
    FROM (
        SELECT /*+ BROADCAST(`hinted`) */
            `id`,
            `name`,
            `gender`,
            `has_newsletter`,
            `date_of_birth`,
            `street`,
            `zip_code`,
            `city`
        FROM `spark_catalog`.`programs`.`customers` AS `hinted`
    )
    WHERE `id` > 1
) AS `customers`
ON `orders`.`customer_id` = `customers`.`id`
