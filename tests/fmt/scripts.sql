begin
  declare x int = 1;
  if x > 1 then
    select x;
  end if;
end;
select 1
==== becomes
begin
  declare x int = 1;
  if x > 1 then
    select x;
  end if;
end;

SELECT 1
