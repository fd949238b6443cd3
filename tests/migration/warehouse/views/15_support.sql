USE support;

/* Support. Everything in Berlin time, that is how the team works. */
SET spark.sql.session.timeZone = Europe/Berlin;

create or replace view ticket_times as
select
  t.ticket_id,
  t.topic,
  t.priority,
  t.opened_at,
  t.closed_at,
  date(t.opened_at)                                            as opened_day,
  round((unix_seconds(t.closed_at) - unix_seconds(t.opened_at)) / 3600, 2) as hours_open,
  t.closed_at - t.opened_at                                    as took,
  (select min(m.sent_at) from messages m where m.ticket_id = t.ticket_id and m.sender = 'agent') as first_reply_at,
  case
    when t.closed_at is null then 'open'
    when t.closed_at > t.opened_at + make_dt_interval(t.priority) then 'breached'  -- priority = days allowed
    else 'kept'
  end                                                          as sla
from tickets t
where t.topic is distinct from 'spam';

create or replace view agent_load as
with closed as (
  select agent_id,
         count(*)                                                       as n,
         avg(unix_seconds(closed_at) - unix_seconds(opened_at)) / 3600  as avg_hours
  from tickets
  where closed_at is not null
  group by agent_id
),
replies as (
  -- the messages do not say which agent wrote them, so we take the one of the ticket
  select t.agent_id, count(*) as replies, avg(length(m.body)) as avg_length
  from messages m inner join tickets t on t.ticket_id = m.ticket_id
  where m.sender = 'agent'
  group by t.agent_id
)
select
  a.name,
  coalesce(a.team, 'no team')                       as team,
  m.name                                            as manager,
  array_contains(a.skills, 'carrier')               as knows_carriers,
  count(t.ticket_id)                                as tickets,
  count(t.csat)                                     as rated,
  avg(t.csat)                                       as csat,
  percentile_approx(t.csat, 0.5)                    as median_csat,
  sum(case when t.closed_at is null and t.ticket_id is not null then 1 else 0 end) as still_open,
  max(c.n)                                          as closed,
  round(max(c.avg_hours), 1)                        as avg_hours,
  coalesce(max(r.replies), 0)                       as replies,
  coalesce(max(r.replies), 0) / nullif(count(t.ticket_id), 0) as replies_per_ticket
from agents a
left join agents m  on m.agent_id = a.manager_id
left join tickets t on t.agent_id = a.agent_id
left join closed c  on c.agent_id = a.agent_id
left join replies r on r.agent_id = a.agent_id
group by a.agent_id, a.name, a.team, m.name, a.skills;

create or replace view tickets_without_reply as
select ticket_id, customer_id, opened_at
from tickets
where ticket_id not in (select ticket_id from messages where sender in ('agent', 'bot') and ticket_id is not null);

create or replace view ticket_labels as
select t.ticket_id, l.pos + 1 as no, l.label
from tickets t lateral view outer posexplode(t.labels) l as pos, label;

create or replace view label_matrix as
select * from (select ticket_id, channel, label from tickets lateral view explode(labels) x as label)
pivot (count(ticket_id) for label in ('late', 'damage' as damaged, 'return'));

create or replace view ticket_meta as
select ticket_id, m.lang, coalesce(m.bot, false) as bot, m.tries, array_size(m.tries) as n_tries,
       from_json(meta, 'map<string,string>')['lang'] as lang_2, to_json(struct(ticket_id, m.lang)) as j
from (select ticket_id, meta, from_json(meta, 'lang string, bot boolean, tries array<int>') m from tickets) x
where ticket_id > 0;

create or replace view conversations as
select ticket_id,
       concat_ws(' | ', transform(
         array_sort(collect_list(struct(sent_at, sender, body))),
         m -> concat(upper(left(m.sender, 1)), ': ', coalesce(m.body, '...'))
       )) as conversation,
       count(*) filter (where sender = 'bot') > 0 as had_bot,
       max(sent_at) - min(sent_at) as lasted
from messages
group by ticket_id;

create or replace view mentioned_orders as
select distinct m.ticket_id, cast(n as bigint) as order_id, o.status
from (
  select ticket_id, body, n from messages lateral view explode(regexp_extract_all(body, '#?\\b(1[0-9]{3})\\b', 1)) x as n
) m
  left join shop.orders o on o.order_id = cast(m.n as bigint)
where m.body rlike '\\b1[0-9]{3}\\b';

create or replace view repeat_contacts as
select a.ticket_id as first_ticket,
       b.ticket_id as next_ticket,
       a.customer_id,
       c.last_name,
       datediff(b.opened_at, a.opened_at) as days_between,
       a.topic <=> b.topic                as same_topic,
       size(array_intersect(a.labels, b.labels)) as labels_in_common,
       case when b.csat < a.csat then 'worse' when b.csat > a.csat then 'better' when b.csat = a.csat then 'same' end as mood
from tickets a
join tickets b
  on  a.customer_id = b.customer_id
  and a.ticket_id < b.ticket_id
  and b.opened_at <= a.opened_at + interval '365' day
join shop.customers c
  on  c.customer_id = a.customer_id
where not exists (
  -- no ticket between the two
  select * from tickets x
  where x.customer_id = a.customer_id and x.ticket_id > a.ticket_id and x.ticket_id < b.ticket_id
);
