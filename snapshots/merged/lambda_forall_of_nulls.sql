SELECT
    `product`,
    FORALL(`tags`, `tag` -> CHAR_LENGTH(`tag`) > 1) AS `every`,
    EXISTS(`tags`, `tag` -> `tag` IS NULL) AS `any_null`
FROM `spark_catalog`.`programs`.`products`
