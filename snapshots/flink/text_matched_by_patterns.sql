SELECT
    REGEXP(`street`, 'S[a-z]') AS `is_street`,
    REGEXP(`street`, '\A(?:(Lime|Oak) (?s:.*))\z') AS `is_tree`,
    REGEXP_REPLACE(`street`, '[aeiou]', '*') AS `hidden`,
    REGEXP_COUNT(`street`, '[A-Z]') AS `capitals`,
    REGEXP_INSTR(`street`, '[0-9]') AS `place`
FROM (
    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    )
    WHERE REGEXP(`street`, '\A(?:(?s:.*)[a-z] .(?s:.*))\z')
)
