SELECT `wider`, `class`
FROM (
    SELECT
        CASE
            WHEN `size` IS NOT NULL THEN CAST(ROW(`size`.`width` + 10, `size`.`box`) AS ROW<`width` INT, `box` ROW<`depth` DOUBLE>>)
        END AS `wider`,
        CAST(ROW(UPPER(`product`), `price`) AS ROW<`name` STRING, `from` DECIMAL(8, 2)>) AS `class`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
)
WHERE `class`.`name` <> 'INK'
