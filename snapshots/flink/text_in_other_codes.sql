SELECT
    TO_BASE64(`name`) AS `coded`,
    FROM_BASE64(TO_BASE64(`name`)) AS `decoded`,
    DECODE(ENCODE(`name`, 'utf-8'), 'utf-8') AS `bytes`,
    URL_ENCODE(`street`) AS `url`,
    URL_DECODE(URL_ENCODE(`street`)) AS `back`,
    CHR(`id` + 64) AS `letter`,
    PARSE_URL('http://a.b/p?x=1', 'QUERY', 'x') AS `x`
FROM (
    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    )
    WHERE `id` < 3
)
