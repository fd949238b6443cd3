execute statement set begin insert into a select 1; insert into b select 2; end; begin statement set; insert into a select 1; end
==== becomes
EXECUTE STATEMENT SET BEGIN
    INSERT INTO a
    SELECT 1;
    INSERT INTO b
    SELECT 2;
END;

BEGIN STATEMENT SET;
    INSERT INTO a
    SELECT 1;
END
