WITH `values_computed` AS (
    SELECT `id`, ST_GEOMFROMWKB(`wkb`) AS `shape`
    FROM VALUES
        (1, X'0101000000000000000000f03f0000000000000040', 0),
        (2, X'010100000000000000000008400000000000001040', 3857),
        (3, NULL, NULL)
    AS `values`(`id`, `wkb`, `srid`)
    WHERE `id` < 3
)
SELECT
    `id`,
    ST_SRID(`shape`) AS `before`,
    ST_SETSRID(`shape`, 4326) AS `moved`,
    CAST(ST_SETSRID(`shape`, 4326) AS GEOGRAPHY(4326)) AS `earth`,
    ST_ASBINARY(`shape`, 'XDR') AS `forwards`
FROM `values_computed`
WHERE `id` = 1
