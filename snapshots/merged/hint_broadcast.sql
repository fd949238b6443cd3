SELECT `orders`.`order_id`, `customers`.`name`
FROM `spark_catalog`.`programs`.`orders`
INNER JOIN (
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
) AS `customers`
ON `orders`.`customer_id` = `customers`.`id`
