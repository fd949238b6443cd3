SELECT
    SUM(`a`) OVER (PARTITION BY `b` ORDER BY `a`) AS `_c0`,
    RANK() OVER (PARTITION BY `b` ORDER BY `a`) AS `_c1`
FROM `spark_catalog`.`programs`.`nothing`
