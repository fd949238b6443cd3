SELECT `TAGS`
FROM (
    SELECT `TAGS_0` AS `TAGS`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`, `TAGS_0`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM `spark_catalog`.`programs`.`products`
        )
        CROSS JOIN UNNEST(`tags`) AS `lateral`(`TAGS_0`)
    )
)
WHERE `TAGS` IS NOT NULL
