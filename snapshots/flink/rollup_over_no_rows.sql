SELECT `a`, `EXPR$0` AS `n`
FROM (
    SELECT `a`, COUNT(`b`) AS `EXPR$0`
    FROM (
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    )
    GROUP BY ROLLUP(`a`)
)
