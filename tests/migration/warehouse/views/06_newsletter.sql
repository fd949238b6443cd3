use shop;
-- opens of the first newsletters
create view newsletter_opens as
select date_trunc('MONTH', sent_on) as month, count(*) as sent, count_if(opened) as opened
from newsletter_2019
group by date_trunc('MONTH', sent_on);

create view card_points as
select tier, count(*) as cards, sum(points) as points, max(points) as most
from loyalty_cards
group by tier;

create view cards_by_year as
select year(issued_on) as y, count(*) as issued
from loyalty_cards
group by year(issued_on);
