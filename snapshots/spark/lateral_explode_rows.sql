SELECT `product`, `s`.`width` AS `s$width`, `s`.`box` AS `s$box`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `s`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`, `s`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM `spark_catalog`.`programs`.`products`
        )
        INNER JOIN LATERAL EXPLODE(ARRAY(`size`)) AS `lateral`(`s`)
    )
    WHERE `s`.`width` > 1
)
