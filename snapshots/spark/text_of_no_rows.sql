SELECT
    LPAD(`b`, `a`, 'x') AS ```p```,
    TRY_ELEMENT_AT(
        SPLIT(CASE WHEN `b` = '' THEN NULL ELSE `b` END, '\\Q,\\E'),
        CASE WHEN `a` >= 0 THEN `a` + 1 END
    ) AS `window`,
    TRIM(LEADING FROM TRIM(TRAILING 'x' FROM `b`)) AS `EXPR$0`
FROM (
    SELECT `a`, `b`
    FROM `spark_catalog`.`programs`.`nothing`
)
