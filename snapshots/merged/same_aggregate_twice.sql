SELECT SUM(`quantity`) AS `EXPR$0`, SUM(`quantity`) AS `_c1`, SUM(`quantity`) AS `third`
FROM `spark_catalog`.`programs`.`lines`
