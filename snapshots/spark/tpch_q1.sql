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
        SUM(`l_quantity`) AS `sum_qty`,
        SUM(`l_extendedprice`) AS `sum_base_price`,
        SUM(`l_extendedprice` * (1 - `l_discount`)) AS `sum_disc_price`,
        SUM(`l_extendedprice` * (1 - `l_discount`) * (1 + `l_tax`)) AS `sum_charge`,
        AVG(`l_quantity`) AS `avg_qty`,
        AVG(`l_extendedprice`) AS `avg_price`,
        AVG(`l_discount`) AS `avg_disc`,
        COUNT(1) AS `count_order`
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
ORDER BY `l_returnflag`, `l_linestatus`
