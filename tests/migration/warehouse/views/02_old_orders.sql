-- the import of the old shop. everything is a string there.
SET spark.sql.ansi.enabled=false;
set hive.exec.dynamic.partition.mode=nonstrict;
USE mart;

CREATE VIEW old_orders_typed AS
Select  ordernr                                        As order_nr,
        custname,
        -- three formats of dates in one column ...
        CASE WHEN orderdate RLIKE '^[0-9]{2}\\.[0-9]{2}\\.[0-9]{4}$'
             THEN to_date(orderdate, 'dd.MM.yyyy')
             ELSE cast(orderdate as date)
        END                                            As order_date,
        cast(regexp_replace(regexp_replace(amount, '\\.(?=[0-9]{3},)', ''), ',', '.') as decimal(10,2)) as amount,
        nvl(cur, 'EUR')                                AS currency
FROM    old_orders;

CREATE VIEW old_order_items AS
SELECT DISTINCT ordernr AS order_nr
     , cast(split(item, ':')[0] AS int) AS product_id
     , cast(split(item, ':')[1] AS int) AS qty      -- 'x' gives null
FROM   old_orders
LATERAL VIEW explode(split(items, '[|]')) i AS item
WHERE  item != '';

-- does both. null = 0 is an old bug that the report relies on
CREATE VIEW old_orders_by_year AS
SELECT nvl(year(order_date), 0)      AS jahr,
       count(1)                      AS cnt,
       sum(amount)                   AS total,
       sum(amount) / count(amount)   AS avg_amount,
       sum(amount) / 0               AS ratio_todo,       -- null
       max(if(currency = 'EUR', 0, 1)) = '1' AS has_foreign,
       min(named_struct('amount', amount, 'nr', order_nr)).nr AS smallest,
       cast('12abc' AS int)          AS not_a_number
FROM   (
         SELECT order_nr, order_date, amount, currency
         FROM   old_orders_typed
         GROUP  BY order_nr, order_date, amount, currency   -- A-5 is there twice
       ) t
GROUP  BY nvl(year(order_date), 0);

CREATE VIEW old_orders_first_name AS
SELECT order_nr,
  CASE WHEN instr(custname, ',') > 0 THEN trim(split(custname, ',')[1]) ELSE initcap(custname) END AS first_name,
  size(split(custname, ',')) AS n_parts,
  split(custname, ',')[5] AS never
FROM old_orders_typed;

-- old parser for dates, since 2019-1-7 is not a date otherwise
SET spark.sql.legacy.timeParserPolicy=LEGACY;
CREATE VIEW old_order_weeks AS
SELECT ordernr, date_format(to_date(orderdate, 'yyyy-MM-dd'), 'E') AS weekday, unix_timestamp(orderdate, 'yyyy-MM-dd') AS epoch
FROM old_orders
WHERE orderdate LIKE '20%';
