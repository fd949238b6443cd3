SELECT `product`, CASE WHEN `size$width` > 1 THEN 1.0 ELSE 2.0 END AS `w`, `size$box`
FROM (
    SELECT `product`, `size`, `price`, `size`.`width` AS `size$width`, `size`.`box` AS `size$box`
    FROM (
        SELECT `product`, `size`, `price`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM `spark_catalog`.`programs`.`products`
        )
    )
)
