SELECT
    `product`,
    TRY_ELEMENT_AT(`tags`, 1) AS `first`,
    TRY_ELEMENT_AT(`tags`, 9) AS `ninth`,
    `attributes`['stock'] AS `stock`,
    CARDINALITY(`tags`) AS `n`
FROM `spark_catalog`.`programs`.`products`
