use web;
set spark.sql.ansi.enabled=false;

create or replace view session_devices as
select session_id, device.os, device.browser, device.screen.w * device.screen.h as pixels,
       case when device.screen.w < 600 then 'phone' when device.screen.w is null then 'n/a' else 'desktop' end as kind
from sessions;

create or replace view session_pages as
select s.session_id
     , p.pos
     , p.page
     , s.scores[p.pos]                as score
     , s.pages[p.pos + 1]             as next_page        -- null after the last one, ansi is off
     , case
           when p.page is null        then 'no pages'
           when p.page = '/'          then 'home'
           when p.page like '/p/%'    then 'product'
           when p.page like '/c/%'    then 'category'
           when p.page in ('/cart', '/done') then 'checkout'
       end                            as kind
     , cast(regexp_extract(p.page, '^/p/([0-9]+)', 1) as int) as product_id
     , pr.name                        as product
     , array_position(s.pages, p.page) - 1 < p.pos as seen_before
     , p.pos = size(s.pages) - 1      as is_last
from (
    select session_id, pages, scores, pos, page
    from sessions lateral view outer posexplode(pages) x as pos, page
) p
  join sessions s on s.session_id = p.session_id
  left join shop.products pr on pr.product_id = cast(regexp_extract(p.page, '^/p/([0-9]+)', 1) as int);

create or replace view session_scores as
select session_id
     , aggregate(scores, cast(0 as double), (a, s) -> a + coalesce(s, 0), a -> a / size(scores)) as mean_score
     , array_max(scores) as best
     , filter(pages, (p, i) -> i > 0 and p like '/p/%') as later_products
     , zip_with(pages, scores, (p, s) -> concat(p, '=', coalesce(cast(s as string), '-'))) as labelled
     , slice(pages, -2, 2) as last_two
     , map_filter(utm, (k, v) -> k <> 'campaign') as utm_rest
     , transform_values(utm, (k, v) -> upper(v)) as utm_upper
from sessions;

create or replace view utm_pairs as
select session_id, k as utm_key, v as utm_value
from sessions
lateral view explode(utm) u as k, v;

create or replace view campaign_orders as
with visits as (
  select session_id
       , customer_id
       , started_at
       , coalesce(utm['campaign'], utm['source'], 'none') as campaign
       , case utm['source']
             when 'ads'  then 0.40
             when 'news' then 0.05
             else 0
         end as click_cost            -- EUR, ask marketing
       , size(filter(pages, p -> p like '/p/%')) as product_pages
  from sessions
)
, converted as (
  select v.session_id
       , o.order_id
       , t.total
       , row_number() over (partition by o.order_id order by v.started_at desc, v.session_id) as nearest
  from visits v
       join shop.orders o
         on  o.customer_id = v.customer_id
         and o.ordered_at between v.started_at and v.started_at + interval 1 hour
       join shop.order_totals t
         on  t.order_id = o.order_id
  where o.status <> 'cancelled'
--  and o.currency = 'EUR'
)
select v.campaign
     , count(distinct v.session_id)                   as sessions
     , sum(if(v.customer_id is null, 1, 0))           as anonymous
     , sum(v.product_pages)                           as product_pages
     , count(c.order_id)                              as orders
     , sum(c.total)                                   as total
     , sum(v.click_cost)                              as clicks_eur
     , round(sum(c.total) / sum(v.click_cost), 2)     as earned_per_euro   -- NULL if free, ansi is off
     , count(c.order_id) / count(distinct v.session_id) >= 0.5 as is_good
from visits v
     left join converted c on c.session_id = v.session_id and c.nearest = 1
group by v.campaign;
