SELECT
    `id`,
    ST_GEOMFROMWKB(`wkb`) AS `plane`,
    ST_GEOMFROMWKB(`wkb`, 3857) AS `web`,
    ST_GEOMFROMWKB(`wkb`, CAST(`srid` AS INT)) AS `mixed`,
    ST_GEOGFROMWKB(`wkb`) AS `earth`
FROM (
    SELECT `id`, `wkb`, `srid`
    FROM VALUES
        (1, X'0101000000000000000000f03f0000000000000040', 0),
        (2, X'010100000000000000000008400000000000001040', 3857),
        (3, NULL, NULL)
    AS `values`(`id`, `wkb`, `srid`)
)
