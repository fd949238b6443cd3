SELECT
    `l_returnflag`,
    `l_linestatus`,
    `sum_qty`,
    `sum_base_price`,
    `sum_disc_price`,
    `sum_charge`,
    `avg_qty`,
    `avg_price`,
    `avg_disc`,
    `count_order`
FROM (
    SELECT
        `l_returnflag`,
        `l_linestatus`,
        `EXPR$0` AS `sum_qty`,
        `EXPR$1` AS `sum_base_price`,
        `EXPR$2` AS `sum_disc_price`,
        `EXPR$3` AS `sum_charge`,
        `EXPR$4` AS `avg_qty`,
        `EXPR$5` AS `avg_price`,
        `EXPR$6` AS `avg_disc`,
        `EXPR$7` AS `count_order`
    FROM (
        SELECT
            `l_returnflag`,
            `l_linestatus`,
            SUM(`l_quantity`) AS `EXPR$0`,
            SUM(`l_extendedprice`) AS `EXPR$1`,
            SUM(`l_extendedprice` * (1 - `l_discount`)) AS `EXPR$2`,
            SUM(`l_extendedprice` * (1 - `l_discount`) * (1 + `l_tax`)) AS `EXPR$3`,
            AVG(`l_quantity`) AS `EXPR$4`,
            AVG(`l_extendedprice`) AS `EXPR$5`,
            AVG(`l_discount`) AS `EXPR$6`,
            COUNT(1) AS `EXPR$7`
        FROM (
            SELECT
                `l_orderkey`,
                `l_partkey`,
                `l_suppkey`,
                `l_linenumber`,
                `l_quantity`,
                `l_extendedprice`,
                `l_discount`,
                `l_tax`,
                `l_returnflag`,
                `l_linestatus`,
                `l_shipdate`,
                `l_commitdate`,
                `l_receiptdate`,
                `l_shipinstruct`,
                `l_shipmode`,
                `l_comment`
            FROM (
                SELECT
                    `l_orderkey`,
                    `l_partkey`,
                    `l_suppkey`,
                    `l_linenumber`,
                    `l_quantity`,
                    `l_extendedprice`,
                    `l_discount`,
                    `l_tax`,
                    `l_returnflag`,
                    `l_linestatus`,
                    `l_shipdate`,
                    `l_commitdate`,
                    `l_receiptdate`,
                    `l_shipinstruct`,
                    `l_shipmode`,
                    `l_comment`
                FROM `spark_catalog`.`tpch`.`lineitem`
            )
            WHERE `l_shipdate` <= DATE '1998-12-01' - INTERVAL '90' DAY
        )
        GROUP BY `l_returnflag`, `l_linestatus`
    )
)
ORDER BY `l_returnflag`, `l_linestatus`
