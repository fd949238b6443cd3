SELECT
    `product`,
    ARRAY_APPEND(`tags`, 'new') AS `appended`,
    ARRAY_DISTINCT(ARRAY_PREPEND(`tags`, 'first')) AS `prepended`,
    ARRAY_CONTAINS(`tags`, 'fine') AS `has`,
    ARRAY_POSITION(`tags`, 'a5') AS `place`,
    ARRAY_REMOVE(`tags`, 'fine') AS `removed`,
    ARRAY_JOIN(`tags`, '+', '?') AS `joined`,
    ARRAY_MAX(`tags`) AS `greatest`,
    ARRAY_MIN(`tags`) AS `least`
FROM `spark_catalog`.`programs`.`products`
