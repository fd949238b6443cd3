SELECT
    ARRAY_SORT(ARRAY_APPEND(ARRAY_COMPACT(`tags`), 'z'), (`a`, `b`) -> CHAR_LENGTH(`b`) - CHAR_LENGTH(`a`)) AS `sorted`
FROM `spark_catalog`.`programs`.`products`
