SELECT
    `id`,
    ADD_MONTHS(`date_of_birth`, 12) AS `first`,
    LAST_DAY(`date_of_birth`) AS `_c2`,
    NEXT_DAY(`date_of_birth`, 'MON') AS `monday`,
    DATE_ADD(`date_of_birth`, 1) AS `morrow`,
    DAYNAME(`date_of_birth`) AS `name`,
    DATE_DIFF(MAKE_DATE(2000, 3, 1), `date_of_birth`) = 1 AS `_c6`
FROM `spark_catalog`.`programs`.`customers`
