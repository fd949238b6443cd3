SELECT
    REGEXP_EXTRACT(`street`, '([0-9]+)$', 1) AS `number`,
    REGEXP_EXTRACT_ALL(`street`, '[A-Z][a-z]', 0) AS `words`,
    REGEXP_SUBSTR(`street`, 'Rd|Av') AS `kind`,
    CARDINALITY(SPLIT(`street`, ' ')) AS `parts`
FROM `spark_catalog`.`programs`.`customers`
