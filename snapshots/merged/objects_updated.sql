SELECT
    CASE WHEN `size` IS NOT NULL THEN NAMED_STRUCT('width', `size`.`width` + 10, 'box', `size`.`box`) END AS `wider`,
    NAMED_STRUCT('name', UPPER(`product`), 'from', `price`) AS `class`
FROM `spark_catalog`.`programs`.`products`
WHERE NAMED_STRUCT('name', UPPER(`product`), 'from', `price`).`name` <> 'INK'
