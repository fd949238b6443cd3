SELECT COUNT(1) AS `groups`, COUNT(`s`) AS `texts`
FROM (
    SELECT DISTINCT `s`
    FROM (
        SELECT `s`
        FROM VALUES
            (CAST('Ärger' AS STRING COLLATE de_CI_AI_RTRIM)),
            (CAST('arger' AS STRING COLLATE de_CI_AI_RTRIM)),
            (CAST('ARGER ' AS STRING COLLATE de_CI_AI_RTRIM)),
            (NULL)
        AS `values`(`s`)
    )
)
