SELECT
    `tiny` + `small` AS `s`,
    `small` + `n` AS `i`,
    `n` + `big` AS `b`,
    `n` + `ratio` AS `f`,
    `big` + `level` AS `d`,
    `fine` + `tiny` AS `m`
FROM `spark_catalog`.`programs`.`readings`
WHERE `n` = 1
