WITH `lines_sorted` AS (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
    ORDER BY
        `quantity` + (
            SELECT COUNT(1)
            FROM `spark_catalog`.`programs`.`nothing`
        ),
        `sku`
)
SELECT `quantity`
FROM `lines_sorted`
