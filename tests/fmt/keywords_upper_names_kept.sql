select Name, Count(*) as n from People where Age > 3 group by Name
==== becomes
SELECT Name, Count(*) AS n
FROM People
WHERE Age > 3
GROUP BY Name
