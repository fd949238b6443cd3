SELECT `c_count`, `custdist`
FROM (
    SELECT `c_count`, COUNT(1) AS `custdist`
    FROM (
        SELECT `c_custkey`, COUNT(`o_orderkey`) AS `c_count`
        FROM (
            SELECT
                `c_custkey`,
                `c_name`,
                `c_address`,
                `c_nationkey`,
                `c_phone`,
                `c_acctbal`,
                `c_mktsegment`,
                `c_comment`,
                `o_orderkey`,
                `o_custkey`,
                `o_orderstatus`,
                `o_totalprice`,
                `o_orderdate`,
                `o_orderpriority`,
                `o_clerk`,
                `o_shippriority`,
                `o_comment`
            FROM (
                SELECT
                    `c_custkey`,
                    `c_name`,
                    `c_address`,
                    `c_nationkey`,
                    `c_phone`,
                    `c_acctbal`,
                    `c_mktsegment`,
                    `c_comment`
                FROM `spark_catalog`.`tpch`.`customer`
            )
            LEFT OUTER JOIN (
                SELECT
                    `o_orderkey`,
                    `o_custkey`,
                    `o_orderstatus`,
                    `o_totalprice`,
                    `o_orderdate`,
                    `o_orderpriority`,
                    `o_clerk`,
                    `o_shippriority`,
                    `o_comment`
                FROM `spark_catalog`.`tpch`.`orders`
            )
            ON `c_custkey` = `o_custkey` AND `o_comment` NOT LIKE '%special%requests%'
        )
        GROUP BY `c_custkey`
    )
    GROUP BY `c_count`
)
ORDER BY `custdist` DESC, `c_count` DESC
