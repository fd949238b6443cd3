SELECT `size`, FILTER(`tags`, `tag` -> CHAR_LENGTH(`tag`) = `size`) AS `such`
FROM (
    SELECT `sizes`, `tags`, `size`
    FROM (
        SELECT `sizes`, `tags`
        FROM (
            SELECT TRANSFORM(`tags`, `tag` -> CHAR_LENGTH(`tag`)) AS `sizes`, `tags`
            FROM (
                SELECT FILTER(`tags`, `tag` -> `tag` IS NOT NULL) AS `tags`
                FROM (
                    SELECT `product`, `price`, `tags`, `attributes`, `size`
                    FROM `spark_catalog`.`programs`.`products`
                )
            )
        )
        WHERE CARDINALITY(`sizes`) > 0
    )
    INNER JOIN LATERAL EXPLODE(`sizes`) AS `lateral`(`size`)
)
