SELECT UPPER(`name`) AS `_c0`, `date_of_birth`
FROM `spark_catalog`.`programs`.`customers`
WHERE `gender` IS NOT NULL
    AND `has_newsletter` = TRUE
    AND `date_of_birth` >= CAST('1980-01-01' AS DATE)
