select first, window, Year, key from both as version order by Timestamp
==== becomes
SELECT first, window, Year, key
FROM both AS version
ORDER BY Timestamp
