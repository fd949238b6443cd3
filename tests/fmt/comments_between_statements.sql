-- licence

-- about one
select 1; -- one


-- about two

select 2
; select 3
==== becomes
-- licence

-- about one
SELECT 1; -- one

-- about two

SELECT 2;
SELECT 3
