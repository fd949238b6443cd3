SELECT
    ARRAY_UNION(`tags`, ARRAY('fine', 'x')) AS `together`,
    ARRAY_INTERSECT(`tags`, ARRAY('fine', 'x')) AS `common`,
    ARRAY_EXCEPT(`tags`, ARRAY('fine', 'x')) AS `rest`,
    ARRAYS_OVERLAP(`tags`, ARRAY('fine', 'x')) AS `overlap`
FROM `spark_catalog`.`programs`.`products`
