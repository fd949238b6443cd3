WITH `customers_hinted` AS (
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
SELECT `orders`.`order_id`, `customers_hinted`.`name`
FROM `spark_catalog`.`programs`.`orders`
INNER JOIN `customers_hinted`
ON `orders`.`customer_id` = `customers_hinted`.`id`
