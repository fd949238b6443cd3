insert into t select a from u; insert overwrite t partition (p=1) (a,b) values (1,2),(3,4)
==== becomes
INSERT INTO t
SELECT a
FROM u;

INSERT OVERWRITE t PARTITION (p = 1) (a, b)
VALUES
    (1, 2),
    (3, 4)
