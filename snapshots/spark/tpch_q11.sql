WITH `partsupp_computed` AS (
    SELECT `ps_partkey`, `ps_supplycost` * `ps_availqty` AS `worth`
    FROM (
        SELECT
            `ps_partkey`,
            `ps_suppkey`,
            `ps_availqty`,
            `ps_supplycost`,
            `ps_comment`,
            `s_suppkey`,
            `s_name`,
            `s_address`,
            `s_nationkey`,
            `s_phone`,
            `s_acctbal`,
            `s_comment`,
            `n_nationkey`,
            `n_name`,
            `n_regionkey`,
            `n_comment`
        FROM (
            SELECT
                `ps_partkey`,
                `ps_suppkey`,
                `ps_availqty`,
                `ps_supplycost`,
                `ps_comment`,
                `s_suppkey`,
                `s_name`,
                `s_address`,
                `s_nationkey`,
                `s_phone`,
                `s_acctbal`,
                `s_comment`,
                `n_nationkey`,
                `n_name`,
                `n_regionkey`,
                `n_comment`
            FROM (
                SELECT
                    `ps_partkey`,
                    `ps_suppkey`,
                    `ps_availqty`,
                    `ps_supplycost`,
                    `ps_comment`,
                    `s_suppkey`,
                    `s_name`,
                    `s_address`,
                    `s_nationkey`,
                    `s_phone`,
                    `s_acctbal`,
                    `s_comment`
                FROM (
                    SELECT `ps_partkey`, `ps_suppkey`, `ps_availqty`, `ps_supplycost`, `ps_comment`
                    FROM `spark_catalog`.`tpch`.`partsupp`
                )
                INNER JOIN (
                    SELECT `s_suppkey`, `s_name`, `s_address`, `s_nationkey`, `s_phone`, `s_acctbal`, `s_comment`
                    FROM `spark_catalog`.`tpch`.`supplier`
                )
                ON `ps_suppkey` = `s_suppkey`
            )
            INNER JOIN (
                SELECT `n_nationkey`, `n_name`, `n_regionkey`, `n_comment`
                FROM `spark_catalog`.`tpch`.`nation`
            )
            ON `s_nationkey` = `n_nationkey`
        )
        WHERE `n_name` = 'GERMANY'
    )
)
SELECT `ps_partkey`, `value`
FROM (
    SELECT `ps_partkey`, `value`
    FROM (
        SELECT `ps_partkey`, SUM(`worth`) AS `value`
        FROM `partsupp_computed`
        GROUP BY `ps_partkey`
    )
    WHERE `value` > (
        SELECT `EXPR$0` * 0.0001000000 AS `_c0`
        FROM (
            SELECT SUM(`worth`) AS `EXPR$0`
            FROM `partsupp_computed`
        )
    )
)
ORDER BY `value` DESC
