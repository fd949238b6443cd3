WITH `products_computed` AS (
    SELECT CAST(`tags` AS ARRAY<STRING COLLATE UTF8_LCASE>) AS `tags`
    FROM `spark_catalog`.`programs`.`products`
    WHERE `product` = 'pen'
)
SELECT ARRAY_CONTAINS(`tags`, 'BLUE') AS `blue`, TRY_ELEMENT_AT(`tags`, 1) AS `first`
FROM `products_computed`
WHERE TRY_ELEMENT_AT(`tags`, 1) = 'Blue'
