use web;

-- throw-away view for the funnel talk, do not build on it!!!
create or replace view funnel_base as
select f.*, s.customer_id, coalesce(s.utm['source'], 'direct') as source
from funnel f join sessions s using (session_id);

use mart;

create or replace view funnel_weekly as
select date_trunc('WEEK', first_at) as week, source, sum(viewed) as viewed, sum(added) as added, sum(bought) as bought, sum(bought) / nullif(sum(viewed), 0) as rate
from web.funnel_base
group by date_trunc('WEEK', first_at), source;
