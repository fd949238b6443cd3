SELECT DISTINCT
    MASK(`zip_code`, 'X', 'x', '#') AS `zip`,
    MASK(`street`, CAST(NULL AS STRING), 'x', 'n', '?') AS `s`
FROM `spark_catalog`.`programs`.`customers`
