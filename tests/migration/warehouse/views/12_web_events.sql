use web;
set spark.sql.shuffle.partitions=8;

create or replace view event_json as
select event_id, event_date, p.page, p.ms, p.product.id as product_id, p.product.price as price, p.tags, size(p.tags) as n_tags, get(p.tags, 0) as first_tag
from (
  select event_id, event_date, from_json(payload, 'page STRING, ms INT, product STRUCT<id: INT, price: DOUBLE>, qty INT, tags ARRAY<STRING>') as p
  from events
) parsed;
-- was p.tags[0] until ansi

create or replace view event_tags as
select tag, count(*) as n, sort_array(collect_set(event_id)) as events
from event_json lateral view explode(tags) t as tag
group by tag;

create or replace view funnel as
with flags as (
  select session_id
       , occurred_at
       , event_type
       , if(event_type = 'view', 1, 0)     as is_view
       , if(event_type = 'add', 1, 0)      as is_add
       , if(event_type = 'remove', 1, 0)   as is_remove
       , if(event_type = 'checkout', 1, 0) as is_checkout
       , cast(get_json_object(payload, '$.total') as decimal(12, 2)) as basket_total
  from events
  -- where event_type <> 'ping'
)
select session_id
     , max(is_view)     as viewed
     , max(is_add)      as added
     , max(is_checkout) as bought
     , sum(is_add) - sum(is_remove) as items
     , max(basket_total) as basket_total
     , min(occurred_at) as first_at
     , max(occurred_at) as last_at
     , timestampdiff(MINUTE, min(occurred_at), max(occurred_at)) as minutes
     , case
           when max(is_checkout) = 1              then '4 bought'
           when sum(is_add) - sum(is_remove) > 0  then '3 left in the basket'
           when max(is_add) = 1                   then '2 changed their mind'
           when max(is_view) = 1                  then '1 looked'
           else '0 nothing'
       end as stage
from flags
group by session_id;

-- 20 minutes of silence make a new visit (the session ids of the tracker are not trusted)
create or replace view visits as
with gaps as (
  select session_id, event_id, occurred_at,
         case when unix_seconds(occurred_at) - unix_seconds(lag(occurred_at) over (partition by session_id order by occurred_at, event_id)) > 20 * 60 then 1 else 0 end as is_new
  from events
), numbered as (
  select *, sum(is_new) over (partition by session_id order by occurred_at, event_id) as visit_no from gaps
)
select session_id, visit_no, count(*) as events, min(occurred_at) as started_at, max(occurred_at) as ended_at
from numbered group by session_id, visit_no;

create or replace view events_per_hour as
select window.start as from_ts, window.end as to_ts, count(*) as n
from events group by window(occurred_at, '6 hours');

create or replace view latest_event as
select session_id, event_id, event_type, occurred_at
from events
qualify row_number() over (partition by session_id order by occurred_at desc, event_id desc) = 1;
