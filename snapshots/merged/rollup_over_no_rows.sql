SELECT `a`, COUNT(`b`) AS `n`
FROM `spark_catalog`.`programs`.`nothing`
GROUP BY ROLLUP(`a`)
