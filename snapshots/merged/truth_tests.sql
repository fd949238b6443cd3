SELECT
    `i`,
    `b` IS TRUE AS `t`,
    `b` IS NOT TRUE AS `nt`,
    `b` IS FALSE AS `f`,
    `b` IS NOT FALSE AS `nf`,
    `b` IS UNKNOWN AS `u`,
    `b` IS NOT UNKNOWN AS `nu`
FROM VALUES
    (1, TRUE),
    (2, FALSE),
    (3, NULL)
AS `values`(`i`, `b`)
