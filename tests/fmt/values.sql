values (1,'a'),(2,'b'); values 1,2,3; select * from values (1,'a'),(2,'b') as v(n, t); select * from values (1) as v(n); select * from (values (1),(2)) as v(n)
==== becomes
VALUES
    (1, 'a'),
    (2, 'b');

VALUES 1, 2, 3;

SELECT *
FROM VALUES
    (1, 'a'),
    (2, 'b')
AS v(n, t);

SELECT *
FROM VALUES (1) AS v(n);

SELECT *
FROM (
    VALUES
        (1),
        (2)
) AS v(n)
