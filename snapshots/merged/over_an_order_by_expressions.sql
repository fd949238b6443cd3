SELECT `id`, ROW_NUMBER() OVER (ORDER BY UPPER(`city`) DESC, CHAR_LENGTH(`name`), `id`) AS `n`
FROM `spark_catalog`.`programs`.`customers`
