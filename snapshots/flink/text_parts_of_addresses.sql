SELECT
    `name`,
    SPLIT_INDEX(`street`, ' ', 2) AS `number`,
    LEFT(`street`, 3) AS `begin`,
    RIGHT(`zip_code`, 2) AS `end`,
    LPAD(`zip_code`, 7, '0') AS `padded`,
    REPLACE(`street`, 'St', 'Street') AS `spelt`
FROM (
    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
    FROM `spark_catalog`.`programs`.`customers`
)
