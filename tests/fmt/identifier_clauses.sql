select 1 as identifier ( 'x' ), identifier('abs')(2) from identifier('a.b') as IDENTIFIER('t') (identifier('c')) window identifier( 'w' ) as (order by c); select a from t join u using (identifier('a'))
==== becomes
SELECT 1 AS identifier('x'), identifier('abs')(2)
FROM identifier('a.b') AS IDENTIFIER('t')(identifier('c'))
WINDOW identifier('w') AS (ORDER BY c);

SELECT a
FROM t
JOIN u
USING (identifier('a'))
