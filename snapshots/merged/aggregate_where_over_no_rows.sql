SELECT
    COUNT(`a`) FILTER (WHERE `b` = 'x') AS `EXPR$0`,
    SUM(`a`) FILTER (WHERE `b` = 'x') AS `EXPR$1`
FROM `spark_catalog`.`programs`.`nothing`
