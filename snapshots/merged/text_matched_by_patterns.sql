SELECT
    `street` RLIKE 'S[a-z]' AS `is_street`,
    `street` RLIKE '\\A(?:(Lime|Oak) (?s:.*))\\z' AS `is_tree`,
    REGEXP_REPLACE(`street`, '[aeiou]', '*') AS `hidden`,
    REGEXP_COUNT(`street`, '[A-Z]') AS `capitals`,
    REGEXP_INSTR(`street`, '[0-9]') AS `place`
FROM `spark_catalog`.`programs`.`customers`
WHERE `street` RLIKE '\\A(?:(?s:.*)[a-z] .(?s:.*))\\z'
