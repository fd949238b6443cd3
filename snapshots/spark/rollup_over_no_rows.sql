SELECT `a`, COUNT(`b`) AS `n`
FROM (
    SELECT `a`, `b`
    FROM `spark_catalog`.`programs`.`nothing`
)
GROUP BY ROLLUP(`a`)
