SELECT `k`, COUNT(`product`) AS `n`, SUM(CAST(`v` AS BIGINT)) AS `s`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `k`, `v`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    CROSS JOIN UNNEST(`attributes`) AS `lateral`(`k`, `v`)
)
GROUP BY `k`
