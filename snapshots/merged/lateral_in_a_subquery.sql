SELECT `line_order`, `sku`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` IN (
    SELECT `products`.`product`
    FROM `spark_catalog`.`programs`.`products`
    INNER JOIN LATERAL EXPLODE(`products`.`tags`) AS `lateral`(`tag`)
    WHERE `lateral`.`tag` IS NOT NULL
        AND `products`.`product` = `lines`.`sku`
)
