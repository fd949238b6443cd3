SELECT DISTINCT `i`, `c`
FROM (
    SELECT IFNULL(`y`, 'none') AS `i`, COALESCE(((CAST(NULL AS INT))), `x`, -1) AS `c`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
