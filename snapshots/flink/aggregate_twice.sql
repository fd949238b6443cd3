SELECT `EXPR$0` AS `most`, `EXPR$1` AS `n`
FROM (
    SELECT MAX(`q`) AS `EXPR$0`, COUNT(`line_order`) AS `EXPR$1`
    FROM (
        SELECT `line_order`, `EXPR$0` AS `q`
        FROM (
            SELECT `line_order`, SUM(CAST(`quantity` AS BIGINT)) AS `EXPR$0`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            GROUP BY `line_order`
        )
    )
)
