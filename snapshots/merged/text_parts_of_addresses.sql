SELECT
    `name`,
    TRY_ELEMENT_AT(SPLIT(CASE WHEN `street` = '' THEN NULL ELSE `street` END, '\\Q \\E'), 3) AS `number`,
    LEFT(`street`, 3) AS `begin`,
    RIGHT(`zip_code`, 2) AS `end`,
    LPAD(`zip_code`, 7, '0') AS `padded`,
    REPLACE(`street`, 'St', 'Street') AS `spelt`
FROM `spark_catalog`.`programs`.`customers`
