SELECT
    `x`,
    RANK() OVER (ORDER BY `x`) AS `asc`,
    RANK() OVER (ORDER BY `x` NULLS LAST) AS `asc_last`,
    RANK() OVER (ORDER BY `x` DESC) AS `desc`,
    RANK() OVER (ORDER BY `x` DESC NULLS FIRST) AS `desc_first`
FROM `spark_catalog`.`programs`.`left_bag`
