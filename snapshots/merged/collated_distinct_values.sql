WITH `values_distinct` AS (
    SELECT DISTINCT *
    FROM VALUES
        (CAST('Ärger' AS STRING COLLATE de_CI_AI_RTRIM)),
        (CAST('arger' AS STRING COLLATE de_CI_AI_RTRIM)),
        (CAST('ARGER ' AS STRING COLLATE de_CI_AI_RTRIM)),
        (NULL)
    AS `values`(`s`)
)
SELECT COUNT(1) AS `groups`, COUNT(`s`) AS `texts`
FROM `values_distinct`
