select id, j.* from baskets, lateral json_table(doc, '$.items[*]' columns (number for ordinality, what string, amount int path '$.n', has_amount boolean exists path '$.n') error on error) as j where amount > 1;
SELECT * FROM JSON_TABLE('{"a": 1}', '$' COLUMNS (a INT)) t
==== becomes
SELECT id, j.*
FROM
    baskets,
    LATERAL json_table(
        doc,
        '$.items[*]' COLUMNS (
            number FOR ORDINALITY,
            what STRING,
            amount INT PATH '$.n',
            has_amount BOOLEAN EXISTS PATH '$.n'
        ) ERROR ON ERROR
    ) AS j
WHERE amount > 1;

SELECT *
FROM JSON_TABLE('{"a": 1}', '$' COLUMNS (a INT)) t
