SELECT
    `product`,
    SEQUENCE(1, `size`.`width`) AS `numbers`,
    ARRAYS_ZIP(`tags`, SEQUENCE(1, `size`.`width`)) AS `zipped`,
    ARRAY_REPEAT(`product`, 2) AS `twice`,
    FLATTEN(ARRAY(`tags`, ARRAY('x'))) AS `flat`,
    SORT_ARRAY(`tags`, FALSE) AS `down`
FROM `spark_catalog`.`programs`.`products`
