SELECT
    ARRAY_AGG(`quantity`) AS `without`,
    ARRAY_AGG(`quantity`) RESPECT NULLS AS `with`,
    COLLECT_SET(`sku`) AS `set`,
    COLLECT_SET(`quantity`) RESPECT NULLS AS `set_with`
FROM `spark_catalog`.`programs`.`lines`
WHERE `quantity` IS NULL
