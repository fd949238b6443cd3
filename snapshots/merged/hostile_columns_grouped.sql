SELECT `*`, SUM(IDENTIFIER('`\u0024{z}`')) AS `it's`
FROM VALUES
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
AS `values`(
    `a b`,
    `select`,
    `c``d`,
    `x.y`,
    IDENTIFIER('`\u0024{z}`'),
    `日本`,
    `it's`,
    `"q"`,
    `*`,
    `-- no`,
    `current_date`,
    `😀`
)
GROUP BY `c``d`, `*`
