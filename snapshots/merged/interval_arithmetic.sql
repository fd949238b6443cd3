SELECT
    `at` + INTERVAL '1' DAY AS `d`,
    `at` - INTERVAL '1' MONTH AS `m`,
    `at` + INTERVAL '90' MINUTE - INTERVAL '15' SECOND AS `h`,
    `day` + INTERVAL '1' YEAR AS `y`,
    `day` + `n` * INTERVAL '1' DAY AS `n`,
    `instant` + INTERVAL '0.25' SECOND AS `i`
FROM `spark_catalog`.`programs`.`readings`
WHERE `n` = 1
