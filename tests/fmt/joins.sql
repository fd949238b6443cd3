select * from a join b on a.k=b.k left outer join c using(k,l) cross join d natural join e left semi join f on a.k = f.k and a.long_column_name = f.long_column_name
==== becomes, width 60
SELECT *
FROM a
JOIN b
ON a.k = b.k
LEFT OUTER JOIN c
USING (k, l)
CROSS JOIN d
NATURAL JOIN e
LEFT SEMI JOIN f
ON a.k = f.k AND a.long_column_name = f.long_column_name
