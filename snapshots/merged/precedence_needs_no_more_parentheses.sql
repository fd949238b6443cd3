SELECT
    (`quantity` + 1) * 2 - (3 - `quantity`) AS `a`,
    `quantity` - 1 - (`quantity` - 2) AS `b`,
    -(`quantity` + 1) AS `c`,
    (`quantity` > 2) = (`sku` = 'pen') AS `d`,
    NOT (`quantity` > 2 AND `sku` = 'pen') OR `quantity` IS NULL AS `e`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'pen'
