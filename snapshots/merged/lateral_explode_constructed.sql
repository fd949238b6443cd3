SELECT `lateral`.`n`, `lateral_2`.`k`, `lateral_2`.`v`
FROM `spark_catalog`.`programs`.`left_bag`
INNER JOIN LATERAL EXPLODE(ARRAY(`left_bag`.`x`, `left_bag`.`x` * 10, 7)) AS `lateral`(`n`)
INNER JOIN LATERAL EXPLODE(MAP(`left_bag`.`y`, `lateral`.`n`)) AS `lateral_2`(`k`, `v`)
WHERE `left_bag`.`y` = 'b'
