USE mart;

/*
   The board in the kitchen. One row a number; whoever wants a number adds a block at the end.
   Values are strings, because the board cannot format.

   /* nested comment: the colours are in the board's own config */
*/
CREATE OR REPLACE VIEW kpi_board COMMENT 'for the board in the kitchen; "value" is text' AS
SELECT 10 AS position, 'orders' AS topic, 'Orders in 2023' AS label, CAST(count(*) AS STRING) AS value
FROM sales_eur
WHERE year(order_date) = 2023

UNION ALL

SELECT 20, 'orders', 'Revenue in 2023', format_number(sum(total_eur), 2)
FROM sales_eur
WHERE year(order_date) = 2023

UNION ALL

SELECT
  30,
  'orders',
  'Best month',
  concat(date_format(max_by(month, revenue), 'MM/yyyy'), ' (', format_number(max(revenue), 0), ' EUR)')
FROM sales_monthly

UNION ALL

-- Jonas: only warehouses that ship
SELECT
  40,
  'delivery',
  concat('On time: ', carrier),
  printf('%.1f %%', on_time_rate * 100)
FROM logistics.carrier_score
WHERE carrier <> '(none)'

UNION ALL

SELECT
  50,
  'delivery',
  'Negative stock',
  coalesce(array_join(collect_list(x.label), '; '), 'none')
FROM (
  SELECT concat(trim(code), '/', product_id, ': ', free) AS label
  FROM logistics.stock_free
  WHERE free < 0
  ORDER BY code, product_id
) AS x

UNION ALL

SELECT
  60,
  'support',
  'Tickets, breached of all',
  concat_ws(' of ', CAST(count_if(sla = 'breached') AS STRING), CAST(count(*) AS STRING))
FROM support.ticket_times

UNION ALL

SELECT
  70,
  'support',
  'Happiest agent',
  first(name)
FROM (
  SELECT name
  FROM support.agent_load
  WHERE csat IS NOT NULL
  ORDER BY csat DESC, name
  LIMIT 1
)

UNION ALL

SELECT
  80,
  'web',
  'Visits with an order',
  concat(round(100 * avg(bought)), ' %')
FROM web.funnel
WHERE viewed = 1

UNION ALL

SELECT
  90,
  'finance',
  'Cost centers over budget',
  CASE count(*)
    WHEN 0 THEN 'none'
    ELSE array_join(array_sort(collect_set(concat(cost_center, ' ', quarter))), ', ')
  END
FROM finance.budget_vs_actual
WHERE state = 'over'

UNION ALL

SELECT
  100,
  'customers',
  concat(upper(substring(life_stage, 1, 1)), substring(life_stage, 2)),
  CAST(n AS STRING)
FROM life_stage_counts
WHERE life_stage <> 'never bought'

-- UNION ALL
-- SELECT 110, 'web', 'Conversion', CAST(max(rate) AS STRING) FROM funnel_weekly

UNION ALL

SELECT 999, 'board', 'Version', '2024-03 (v12)'

ORDER BY position, label;

create or replace view late_and_angry (
    ticket_id, order_id, customer comment 'as on the letter', days_late comment 'NULL: not there yet', sla, life_stage, last_words, offer comment 'EUR, proposal', why
) comment 'whom to call on Monday morning'
as
/* + BROADCAST(c) was here, + is no hint now */
with open_or_bad as (
    select t.*, coalesce(m.lang, 'de') as lang
    from support.tickets t
         left join support.ticket_meta m on m.ticket_id = t.ticket_id
    where t.csat <= 3 or t.closed_at is null
),
last_words as (
    select ticket_id, max_by(body, sent_at) as body
    from support.messages
    where sender = 'customer'
    group by ticket_id
),
shipped as (
    -- several parcels: the worst one counts
    select order_id, max(days_late) as days_late, bool_or(verdict = 'under way') as under_way
    from logistics.shipment_delays
    group by order_id
),
all_of_it as (
    select o.ticket_id
         , o.order_id
         , o.lang
         , o.csat
         , case when c.is_business then c.first_name || ' ' || c.last_name else c.last_name end as customer
         , if(s.under_way, null, s.days_late) as days_late
         , st.sla
         , k.life_stage
         , k.kept
         , l.body
    from open_or_bad o
         inner join shop.customers c     on c.customer_id = o.customer_id
         left  join shipped s            on s.order_id = o.order_id
         left  join support.ticket_times st on st.ticket_id = o.ticket_id
         left  join customer_value k     on k.customer_id = o.customer_id
         left  join last_words l         on l.ticket_id = o.ticket_id
)
select ticket_id
     , order_id
     , customer
     , days_late
     , sla
     , life_stage
     , substring(coalesce(body, ''), 1, 40) as last_words
     , cast(
           case
               when life_stage in ('champion', 'active') and csat = 1     then 50
               when days_late > 3 or (days_late is null and csat is null) then 10 + 5 * coalesce(days_late, 1)
               when kept > 1000                                           then 20
               else 0
           end as decimal(6, 2)) as offer
     , array_join(array_compact(array(
           case when days_late > 0       then 'late' end,
           case when sla = 'breached'    then 'waited' end,
           case when csat <= 2           then 'angry' end,
           case when lang not in ('de', 'en') then 'needs ' || lang end
       )), ', ') as why
from all_of_it
where coalesce(days_late, 1) > 0
   or sla = 'breached'
   or csat <= 2;
