SELECT
    BASE64(`name`) AS `coded`,
    CAST(UNBASE64(BASE64(`name`)) AS STRING) AS `decoded`,
    DECODE(ENCODE(`name`, 'utf-8'), 'utf-8') AS `bytes`,
    URL_ENCODE(`street`) AS `url`,
    URL_DECODE(URL_ENCODE(`street`)) AS `back`,
    CHR(`id` + 64) AS `letter`,
    PARSE_URL('http://a.b/p?x=1', 'QUERY', 'x') AS `x`
FROM `spark_catalog`.`programs`.`customers`
WHERE `id` < 3
