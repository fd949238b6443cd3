SELECT `blue`, `first`
FROM (
    SELECT ARRAY_CONTAINS(`tags`, 'BLUE') AS `blue`, TRY_ELEMENT_AT(`tags`, 1) AS `first`
    FROM (
        SELECT CAST(`tags` AS ARRAY<STRING COLLATE UTF8_LCASE>) AS `tags`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM (
                SELECT `product`, `price`, `tags`, `attributes`, `size`
                FROM `spark_catalog`.`programs`.`products`
            )
            WHERE `product` = 'pen'
        )
    )
)
WHERE `first` = 'Blue'
