SELECT JSON_QUOTE(`name`) AS `name`, JSON_UNQUOTE(JSON_QUOTE(CONCAT(`street`, '/é
'))) AS ````
FROM (
    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
    FROM `spark_catalog`.`programs`.`customers`
)
