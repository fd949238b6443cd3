WITH `lines_filtered` AS (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `line_order` = 100
)
SELECT
    `lines_filtered`.`line_order`,
    `lines_filtered`.`sku`,
    `lines_filtered`.`quantity`,
    `lateral`.`s`,
    `lateral`.`y`
FROM `lines_filtered`
INNER JOIN LATERAL (
    SELECT `x` + `lines_filtered`.`quantity` AS `s`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `y` IS NOT NULL
        AND `x` < `lines_filtered`.`quantity`
) AS `lateral`
