SELECT `name`, `s`, `square`
FROM (
    SELECT CONCAT(`upper`, '!') AS `name`, `EXPR$0` AS `s`, `EXPR$0` * `EXPR$0` AS `square`
    FROM (
        SELECT UPPER(`sku`) AS `upper`, SUM(`quantity`) AS `EXPR$0`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        GROUP BY UPPER(`sku`)
    )
)
WHERE `name` <> 'CAP!'
