SELECT
    `product`,
    ARRAY_SLICE(`tags`, 1, 1) AS `first`,
    ARRAY_SLICE(`tags`, -1, -1) AS `last`,
    ARRAY_SLICE(`tags`, `size`.`width`, -1) AS `rest`,
    ARRAY_REVERSE(ARRAY_CONCAT(`tags`, CAST(ARRAY['x'] AS ARRAY<STRING>), `tags`)) AS `turned`,
    MAP_UNION(`attributes`, MAP['stock', 0]) AS `updated`,
    REVERSE(`product`) AS `back`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM `spark_catalog`.`programs`.`products`
)
