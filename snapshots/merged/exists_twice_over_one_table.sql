SELECT `line_order`, `quantity`
FROM `spark_catalog`.`programs`.`lines`
WHERE EXISTS (
    SELECT *
    FROM `spark_catalog`.`programs`.`right_bag`
    WHERE `x` = `lines`.`quantity`
)
    AND NOT EXISTS (
        SELECT *
        FROM `spark_catalog`.`programs`.`right_bag`
        WHERE `x` = `lines`.`quantity` + 1
    )
