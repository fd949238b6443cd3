SELECT `wider`, `class`
FROM (
    SELECT
        CASE
            WHEN `size` IS NOT NULL THEN NAMED_STRUCT('width', `size`.`width` + 10, 'box', `size`.`box`)
        END AS `wider`,
        NAMED_STRUCT('name', UPPER(`product`), 'from', `price`) AS `class`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
)
WHERE `class`.`name` <> 'INK'
