SELECT
    `sku`,
    CASE WHEN `sku` IN (
        SELECT `product`
        FROM `spark_catalog`.`programs`.`products`
    ) THEN 1 ELSE 0 END AS `known`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` <> 'pen'
