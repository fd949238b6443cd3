SELECT `product`, FILTER(`tags`, `tag` -> `tag` > 'c') AS `later`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    WHERE EXISTS(`tags`, `tag` -> `tag` LIKE '%e')
)
