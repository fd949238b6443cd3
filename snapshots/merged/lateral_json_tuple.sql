SELECT `lateral`.`c0`, `lateral`.`c1`
FROM VALUES
    ('{"a": 1, "b": {"c": 2}}'),
    ('{}'),
    (NULL)
AS `values`(`j`)
INNER JOIN LATERAL JSON_TUPLE(`values`.`j`, 'a', 'b') AS `lateral`(`c0`, `c1`)
