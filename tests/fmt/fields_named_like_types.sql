select struct(1 as Int, 2 as Timestamp), named(Date => 1)
==== becomes
SELECT struct(1 AS Int, 2 AS Timestamp), named(Date => 1)
