use shop;

create or replace view product_margin as
select p.product_id
     , p.sku
     , p.name
     , p.list_price
     , p.unit_cost
     , p.list_price - p.unit_cost                                       as margin
     , round((p.list_price - p.unit_cost) / nullif(p.list_price, 0), 4) as margin_rate
     , case
           when p.unit_cost is null                                  then 'unknown'
           when (p.list_price - p.unit_cost) / p.list_price >= 0.60  then 'A'
           when (p.list_price - p.unit_cost) / p.list_price >= 0.45  then 'B'
           else 'C'
       end                                                              as margin_class
from products p;

-- old syntax, still fine
create or replace view product_attributes as
select p.product_id
     , get_json_object(p.attributes, '$.material')              as material
     , cast(get_json_object(p.attributes, '$.warranty.years') as int) as warranty_years
     , get_json_object(p.attributes, '$.colors[0]')             as first_color
     , j.organic
     , j.persons
from products p
lateral view outer json_tuple(p.attributes, 'organic', 'persons') j as organic, persons;

create or replace view product_colors as
select product_id, pos, color
from (select product_id, from_json(attributes, 'colors array<string>').colors as colors from products) p
lateral view posexplode(colors) c as pos, color;

create or replace view product_variants as
select p.product_id, p.sku, v.color, v.size, coalesce(v.stock, 0) stock
from products p
lateral view inline(p.variants) v as color, size, stock
;

create or replace view product_variant_stats as
select product_id
     , size(variants)                                                  as n_variants
     , aggregate(variants, 0, (acc, v) -> acc + coalesce(v.stock, 0))  as stock
     , transform(variants, v -> concat(v.color, '/', coalesce(v.size, '?'))) as labels
     , exists(variants, v -> v.stock = 0)                              as has_empty
     , filter(variants, v -> v.stock > 5)                              as plenty
     , array_join(array_sort(array_distinct(variants.color)), ', ')    as colors
from products
where variants is not null;

create or replace view product_thumbnails as
select product_id, hex(thumbnail) as magic, octet_length(thumbnail) as bytes, base64(thumbnail) as b64, thumbnail = X'89504E47' as is_png
from products where thumbnail is not null;

create or replace view current_prices as
with latest as (
  select product_id
       , price
       , valid_from
       , lag(price) over (partition by product_id order by valid_from) as former_price
       , valid_to
  from price_history
)
select p.product_id
     , p.name
     , p.list_price
     , l.price
     , l.valid_from
     , p.list_price = l.price                     as matches
     , l.former_price
     , case
           when l.product_id is null    then 'no history'
           when l.former_price is null  then 'first price'
           when l.price > l.former_price
               then concat('up ', round((l.price / l.former_price - 1) * 100, 1), ' %')
           else concat('down ', round((1 - l.price / l.former_price) * 100, 1), ' %')
       end                                        as change
     , (select count(*) from order_lines ol where ol.product_id = p.product_id and ol.unit_price <> l.price) as sold_at_other_prices
from products p
     left join latest l
       on  l.product_id = p.product_id
       and l.valid_to is null
where p.active
;
