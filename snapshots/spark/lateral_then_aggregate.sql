SELECT `k`, COUNT(`product`) AS `n`, SUM(`v`) AS `s`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `k`, `v`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    INNER JOIN LATERAL EXPLODE(`attributes`) AS `lateral`(`k`, `v`)
)
GROUP BY `k`
