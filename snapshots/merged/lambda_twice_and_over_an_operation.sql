WITH `products_computed` AS (
    SELECT FILTER(`tags`, `tag` -> `tag` IS NOT NULL) AS `tags`
    FROM `spark_catalog`.`programs`.`products`
),
`products_computed_2` AS (
    SELECT TRANSFORM(`tags`, `tag` -> CHAR_LENGTH(`tag`)) AS `sizes`, `tags`
    FROM `products_computed`
)
SELECT
    `lateral`.`size`,
    FILTER(`products_computed_2`.`tags`, `tag` -> CHAR_LENGTH(`tag`) = `lateral`.`size`) AS `such`
FROM `products_computed_2`
INNER JOIN LATERAL EXPLODE(`products_computed_2`.`sizes`) AS `lateral`(`size`)
WHERE CARDINALITY(`products_computed_2`.`sizes`) > 0
