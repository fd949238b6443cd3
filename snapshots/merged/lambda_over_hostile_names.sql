WITH `products_computed` AS (
    SELECT
        TRANSFORM(`tags`, `window` -> CONCAT(`window`, `product`)) AS `EXPR$0`,
        TRANSFORM(ARRAY(`size`), `window` -> `window`.`width`) AS `start`
    FROM `spark_catalog`.`programs`.`products`
)
SELECT
    TRANSFORM(`EXPR$0`, `start_0` -> CHAR_LENGTH(`start_0`) + TRY_ELEMENT_AT(`start`, 1)) AS `_c0`
FROM `products_computed`
