USE mart;

-- RFM and friends. Long, sorry. PS 2023-02, last touched 2024-01 (Jonas: returns)
CREATE OR REPLACE VIEW customer_value
COMMENT 'one row a customer: recency, frequency, money, returns, tickets'
TBLPROPERTIES ('owner' = 'priya', 'sla.hours' = '24')
AS
WITH params AS (
  -- the day of the report; used to be current_date()
  SELECT DATE'2024-03-01' AS today, 365 AS days
),
-- 1. orders
bought AS (
  SELECT
    s.customer_id,
    count(*)            AS orders,
    sum(s.total_eur)    AS revenue,
    min(s.order_date)   AS first_order,
    max(s.order_date)   AS last_order,
    count(DISTINCT s.channel) AS channels
  FROM sales_eur AS s
  WHERE s.customer_id IS NOT NULL
  GROUP BY s.customer_id
),
-- 2. returns, in money
returned AS (
  SELECT
    o.customer_id,
    count(DISTINCT r.return_id) AS returns,
    sum(finance.to_eur(CAST(r.quantity * l.unit_price * (1 - coalesce(l.discount, 0)) AS DECIMAL(18, 2)), o.currency, CAST(o.ordered_at AS DATE))) AS return_value
  FROM shop.returns AS r
  JOIN shop.order_lines AS l
    ON l.order_id = r.order_id
   AND l.line_no = r.line_no
  JOIN shop.orders AS o
    ON o.order_id = r.order_id
  GROUP BY o.customer_id
),
-- 3. tickets
asked AS (
  SELECT customer_id, count(*) AS tickets, min(csat) AS worst_csat
  FROM support.tickets
  GROUP BY customer_id
),
joined AS (
  SELECT
    c.customer_id,
    c.segment,
    c.is_business,
    datediff(p.today, b.last_order)  AS recency,
    coalesce(b.orders, 0)            AS frequency,
    coalesce(b.revenue, 0)           AS revenue,
    coalesce(r.return_value, 0)      AS return_value,
    coalesce(r.returns, 0)           AS returns,
    coalesce(a.tickets, 0)           AS tickets,
    a.worst_csat,
    b.channels,
    b.first_order,
    datediff(p.today, b.first_order) <= p.days AS is_new
  FROM shop.customers AS c
  CROSS JOIN params AS p
  LEFT JOIN bought   AS b ON b.customer_id = c.customer_id
  LEFT JOIN returned AS r ON r.customer_id = c.customer_id
  LEFT JOIN asked    AS a ON a.customer_id = c.customer_id
),
scored AS (
  SELECT
    *,
    -- 5 is best
    CASE
      WHEN recency IS NULL THEN 0
      WHEN recency <= 31   THEN 5
      WHEN recency <= 92   THEN 4
      WHEN recency <= 183  THEN 3
      WHEN recency <= 365  THEN 2
      ELSE 1
    END AS r_score,
    least(frequency, 5) AS f_score,
    CASE WHEN revenue - return_value <= 0 THEN 0 ELSE ntile(5) OVER (ORDER BY revenue - return_value, customer_id) END AS m_score
  FROM joined
)
SELECT
  customer_id,
  segment,
  is_business,
  recency,
  frequency,
  revenue,
  return_value,
  revenue - return_value                            AS kept,
  CAST(try_divide(return_value, revenue) AS DECIMAL(6, 4)) AS return_rate,
  r_score * 100 + f_score * 10 + m_score            AS rfm,
  CASE
    WHEN frequency = 0                              THEN 'never bought'
    WHEN r_score >= 4 AND m_score >= 4              THEN 'champion'
    WHEN r_score >= 4                               THEN CASE WHEN is_new THEN 'new' ELSE 'active' END
    WHEN m_score >= 4 AND r_score <= 2              THEN 'win back'
    WHEN tickets > 1 AND worst_csat < 3             THEN 'unhappy'
    ELSE 'sleeping'
  END                                               AS life_stage,
  tickets,
  worst_csat,
  first_order
FROM scored
-- WHERE NOT is_business   -- B2B has its own report (hk)
;

CREATE OR REPLACE VIEW life_stages AS
SELECT life_stage, count(*) AS n, sum(kept) AS kept, collect_list(customer_id) IS NOT NULL AS x
FROM (SELECT * FROM customer_value ORDER BY customer_id)
GROUP BY life_stage;

create or replace view cohort_months as
with first_orders as (
  select customer_id, min(order_date) as first_day
  from sales_eur
  where customer_id is not null
  group by customer_id
)
, activity as (
  select date_format(f.first_day, 'yyyy-MM') as cohort
       , cast(floor(months_between(trunc(s.order_date, 'MM'), trunc(f.first_day, 'MM'))) as int) as month_no
       , s.customer_id
       , s.total_eur
  from sales_eur s
       join first_orders f using (customer_id)
)
, sizes as (
  select cohort, count(distinct customer_id) as size
  from activity
  where month_no = 0
  group by cohort
)
select a.cohort
     , a.month_no
     , count(distinct a.customer_id) as customers
     , first(z.size)                 as cohort_size
     , count(distinct a.customer_id) / first(z.size) as retention
     , sum(a.total_eur)              as revenue
     , sum(sum(a.total_eur)) over (partition by a.cohort order by a.month_no) as revenue_so_far
from activity a
     join sizes z on z.cohort = a.cohort
group by 1, 2;

create or replace view referrers as
with recursive chain as (
  select customer_id, referrer_id, customer_id as root, 0 as depth from shop.customers where referrer_id is null
  union all
  select c.customer_id, c.referrer_id, ch.root, ch.depth + 1 from shop.customers c join chain ch on c.referrer_id = ch.customer_id
)
select root, count(*) - 1 as recruited, max(depth) as depth from chain group by root;

create or replace view top_products_by_country as
select country, place, product_id, name, path, net, share, below
from (
  select x.country
       , x.product_id
       , p.name
       , coalesce(cp.path, '(none)') as path
       , x.net
       , round(x.net / sum(x.net) over (partition by x.country), 4) as share
       , rank() over (partition by x.country order by x.net desc, x.product_id) as place
       , lead(x.product_id) over (partition by x.country order by x.net desc, x.product_id) as below
  from (
    select c.country
         , a.product_id
         , sum(a.net) as net
    from shop.order_line_amounts a
         inner join shop.orders o
            on o.order_id = a.order_id
         inner join shop.customers c
            on c.customer_id = o.customer_id
    where o.currency = 'EUR'
      and o.status in ('delivered', 'shipped', 'open')
      and not exists (
        select 1
        from shop.returns r
        where r.order_id = a.order_id
          and r.line_no = a.line_no
          and r.quantity >= a.quantity   -- all of it came back
      )
    group by c.country, a.product_id
  ) x
       left join shop.products p
          on p.product_id = x.product_id
       left join shop.category_paths cp
          on cp.category_id = p.category_id
) y
where place <= 2;

create or replace view above_average_orders as
select o.order_id
     , o.customer_id
     , o.total_eur
     , (select round(avg(i.total_eur), 2) from sales_eur i where i.customer_id = o.customer_id) as usual
     , (select max(i.order_date) from sales_eur i where i.customer_id = o.customer_id and i.order_date < o.order_date) as order_before
     , case
           when exists (select 1 from shop.returns r where r.order_id = o.order_id) then 'came back'
           when o.order_id in (select t.order_id from support.tickets t) then 'asked'
           else 'fine'
       end as aftermath
from sales_eur o
where o.total_eur > (
        select avg(i.total_eur)
        from sales_eur i
        where i.customer_id = o.customer_id
      )
   or (
        o.total_eur >= 500
        and o.customer_id in (select customer_id from shop.customers where is_business)
      );

create or replace view bought_together as
select a.product_id as product_a, b.product_id as product_b, count(*) as orders
from shop.order_lines a, shop.order_lines b
where a.order_id = b.order_id and a.product_id < b.product_id
group by a.product_id, b.product_id
having sum(a.quantity + b.quantity) > 5;
