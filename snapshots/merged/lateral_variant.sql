SELECT `lateral`.`pos`, `lateral`.`key`, TO_JSON(`lateral`.`value`) AS `v`
FROM VALUES
    ('[1, "x"]'),
    ('3')
AS `values`(`j`)
INNER JOIN LATERAL VARIANT_EXPLODE(PARSE_JSON(`values`.`j`)) AS `lateral`(`pos`, `key`, `value`)
