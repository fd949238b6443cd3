-- controlling (hk) -- keep the CAPITALS of the column names, Excel looks for them
USE finance;

CREATE OR REPLACE VIEW `ledger_by_cost_center` AS
SELECT
    coalesce(cost_center, '(none)') AS `Cost Center`
   ,year                            AS `Fiscal Year`
   ,sum(debit)                      AS `Sum of "Debit"`
   ,sum(coalesce(credit, 0))        AS `Sum of 'Credit'`
   ,sum(coalesce(debit, 0) - coalesce(credit, 0)) AS `D - C, %`
FROM ledger
GROUP BY cost_center, year
;

CREATE OR REPLACE VIEW ledger_rollup AS
SELECT account, month, grouping(month) AS is_total, grouping_id() AS gid, sum(coalesce(credit, 0) - coalesce(debit, 0)) AS balance, count(*) AS n
FROM ledger
WHERE year = 2023
GROUP BY account, month WITH ROLLUP
;

CREATE OR REPLACE VIEW ledger_cube AS
SELECT cost_center, quarter(booked_on) AS q, sum(debit) AS debit
FROM ledger
WHERE debit IS NOT NULL
GROUP BY CUBE (cost_center, q)
HAVING grouping_id() < 3
;

CREATE OR REPLACE VIEW ledger_sets AS
SELECT account, cost_center, month, max(debit) max_debit
FROM ledger
GROUP BY GROUPING SETS ((account, cost_center), (account, month), (cost_center), ())
ORDER BY 1 NULLS LAST, 2 NULLS LAST, 3 NULLS LAST
;

CREATE OR REPLACE VIEW ledger_running AS
SELECT entry_id, account, booked_on, debit, credit,
  sum(coalesce(credit, 0) - coalesce(debit, 0)) OVER (PARTITION BY account ORDER BY booked_on, entry_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS balance,
  avg(debit) OVER (PARTITION BY account ORDER BY booked_on RANGE BETWEEN INTERVAL '60' DAY PRECEDING AND CURRENT ROW) AS avg_60_days,
  first_value(text) IGNORE NULLS OVER (PARTITION BY account ORDER BY booked_on, entry_id ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) AS near_text,
  ntile(4) OVER (ORDER BY booked_on, entry_id) AS tile
FROM ledger
;

CREATE OR REPLACE VIEW invoice_numbers AS
SELECT
    l.entry_id
   ,l.text
   ,regexp_extract(l.text, '^RE-([0-9]{4})-0*([1-9][0-9]*)$', 2) AS invoice_no
   ,split_part(l.text, '-', 2) AS invoice_year
   ,coalesce(nullif(trim(l.text), ''), 'no text') AS shown
   ,CASE
        WHEN l.text IS NULL           THEN 'none'
        WHEN l.text = ''              THEN 'empty'
        WHEN l.text LIKE 'RE-%'       THEN 'invoice'
        WHEN contains(l.text, 'corr') THEN 'correction'
        ELSE 'other'
    END AS kind
   ,CASE substr(l.account, 1, 1) WHEN '4' THEN 'income' WHEN '6' THEN 'cost' END AS side
   ,count(*) OVER (PARTITION BY l.text) AS same_text
FROM ledger l
WHERE (l.text IS NULL OR l.text NOT LIKE 'storno%')
  AND l.year = 2023 AND l.month BETWEEN 1 AND 12      -- the partitions
;

CREATE OR REPLACE VIEW budget_long AS
SELECT * FROM budgets
UNPIVOT INCLUDE NULLS (amount FOR quarter IN (q1 AS `Q1`, q2 AS `Q2`, q3 AS `Q3`, q4 AS `Q4`))
;

CREATE OR REPLACE VIEW budget_vs_actual AS
WITH actual (cc, yr, qtr, spent) AS (
  SELECT cost_center, year, concat('Q', quarter(booked_on)) AS x, sum(debit) AS y  -- refuses without x and y
  FROM ledger
  WHERE cost_center IS NOT NULL
  GROUP BY cost_center, year, quarter(booked_on)
),
compared AS (
  SELECT
      b.cost_center
     ,b.year
     ,b.quarter
     ,b.amount AS budget
     ,a.spent
     ,lag(b.amount) OVER (PARTITION BY b.cost_center ORDER BY b.year, b.quarter) AS budget_before
     ,sum(coalesce(a.spent, 0)) OVER (PARTITION BY b.cost_center, b.year ORDER BY b.quarter) AS spent_so_far
     ,sum(coalesce(b.amount, 0)) OVER (PARTITION BY b.cost_center, b.year) AS budget_of_year
  FROM budget_long AS b
  LEFT JOIN actual AS a
         ON a.cc = b.cost_center
        AND a.yr = b.year
        AND a.qtr = b.quarter
)
SELECT
    cost_center
   ,year
   ,quarter
   ,budget
   ,spent
   ,CASE
        WHEN budget IS NULL                THEN NULL
        WHEN spent > budget                THEN 'over'
        WHEN spent > budget * 0.9          THEN 'nearly'
        ELSE 'within'
    END AS state
   ,CASE sign(budget - budget_before) WHEN 1 THEN 'raised' WHEN 0 THEN 'same' WHEN -1 THEN 'cut' ELSE 'n/a' END AS tendency
   ,round(100 * spent_so_far / nullif(budget_of_year, 0), 1) AS pct_of_year
FROM compared
;

CREATE OR REPLACE VIEW spend_pivot AS
SELECT * FROM (
  SELECT cost_center, quarter(booked_on) AS q, debit FROM ledger WHERE cost_center IS NOT NULL
)
PIVOT (sum(debit) AS s, count(*) AS n FOR q IN (1 AS q1, 2 AS q2, 3 AS q3, 4 AS q4))
;
