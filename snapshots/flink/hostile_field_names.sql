SELECT `r.r`.`a.b` AS `i`, `r.r`.`c``d` AS `j`, `r.r`.`e f` AS `r.r$e f`
FROM (
    SELECT
        CAST(ROW(1, 2, 'x') AS ROW<`a.b` INT NOT NULL, `c``d` INT NOT NULL, `e f` STRING NOT NULL>) AS `r.r`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `sku` = 'cap'
    )
)
