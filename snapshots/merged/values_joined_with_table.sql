SELECT `values`.`word`, `left_bag`.`y`
FROM VALUES
    (1, 'one'),
    (2, 'two')
AS `values`(`k`, `word`)
INNER JOIN `spark_catalog`.`programs`.`left_bag`
ON `values`.`k` = `left_bag`.`x`
