SELECT DISTINCT `b`, `s`, `r`, `i`, `leet`, `twice`
FROM (
    SELECT
        STARTSWITH(`city`, 'B') AS `b`,
        ENDSWITH(`city`, 's') AS `s`,
        INSTR(`city`, 'r') AS `r`,
        LOCATE('i', `city`) AS `i`,
        TRANSLATE(`city`, 'ai', '41') AS `leet`,
        REPEAT(`city`, 2) AS `twice`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    )
)
