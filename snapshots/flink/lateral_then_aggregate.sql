SELECT `k`, `EXPR$0` AS `n`, `EXPR$1` AS `s`
FROM (
    SELECT `k`, COUNT(`product`) AS `EXPR$0`, SUM(CAST(`v` AS BIGINT)) AS `EXPR$1`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`, `k`, `v`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM `spark_catalog`.`programs`.`products`
        )
        CROSS JOIN UNNEST(`attributes`) AS `lateral`(`k`, `v`)
    )
    GROUP BY `k`
)
