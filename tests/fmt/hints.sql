select /*+ broadcast(t), repartition(3,a) */ distinct a from t; select /*+ rebalance */ first_column, second_column from t
==== becomes, width 45
SELECT /*+ broadcast(t), repartition(3, a) */ DISTINCT
    a
FROM t;

SELECT /*+ rebalance */
    first_column,
    second_column
FROM t
