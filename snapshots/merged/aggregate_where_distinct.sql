SELECT
    COUNT(DISTINCT `sku`) FILTER (WHERE `quantity` >= 2) AS `d`,
    COALESCE(SUM(`quantity`) FILTER (WHERE `sku` = 'nothing'), 0L) AS `z`,
    MAX(`quantity`) FILTER (WHERE `sku` = 'pen') - MIN(`quantity`) AS `span`
FROM `spark_catalog`.`programs`.`lines`
