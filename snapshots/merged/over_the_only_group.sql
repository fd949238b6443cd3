WITH `nothing_grouped` AS (
    SELECT COUNT(`a`) AS `EXPR$0`, MAX(`a`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`nothing`
)
SELECT SUM(`EXPR$0`) OVER () AS `_c0`, COUNT(`EXPR$1`) OVER () AS `_c1`
FROM `nothing_grouped`
